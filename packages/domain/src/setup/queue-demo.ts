import type { RunSpec } from "@rigmark/protocol";
import type { RunCreated } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace, requireSystem } from "../internal/access";
import { queue } from "../internal/run/queue";

/** Queues the launcher's first comparison. */
export async function queueDemoRun({
  ctx,
  input,
}: Call<{ workspace: string; hostId: string; spec: RunSpec }>): Promise<RunCreated> {
  requireSystem(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  return queue(ctx, workspaceId, input.hostId, input.spec);
}
