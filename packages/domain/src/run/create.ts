import type { RunSpec } from "@rigmark/protocol";
import type { RunCreated } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { queue } from "../internal/run/queue";

export async function createRun({
  ctx,
  input,
}: Call<{ workspace: string; hostId: string; spec: RunSpec }>): Promise<RunCreated> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace);
  return queue(ctx, workspaceId, input.hostId, input.spec);
}
