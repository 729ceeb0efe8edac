import type { RunBrief, RunRequest } from "@rigmark/results/public";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { hostNamed } from "../internal/reach";
import { queue } from "../internal/run/queue";
import { describeRun } from "./describe";

/** Queues a run on a host that is given by id or exact name, for the public API. */
export async function queueNamedRun({
  ctx,
  input,
}: Call<{ workspace: string } & RunRequest>): Promise<RunBrief> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const hostId = await hostNamed(ctx, workspaceId, input.host, "agent");
  const { run_id: runId } = await queue(ctx, workspaceId, hostId, input.spec, input.source ?? null);
  return describeRun({ ctx, input: { runId } });
}
