import type { RunSpec, Source } from "@rigmark/protocol";
import type { RunCreated } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { queue } from "../internal/run/queue";

export async function createRun({
  ctx,
  input,
}: Call<{
  workspace: string;
  hostId: string;
  spec: RunSpec;
  source?: Source | null | undefined;
}>): Promise<RunCreated> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  return queue(ctx, workspaceId, input.hostId, input.spec, input.source);
}
