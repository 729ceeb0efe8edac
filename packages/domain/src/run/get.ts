import type { RunView } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { readRun } from "../internal/run/read-run";

export async function getRun({ ctx, input }: Call<{ workspace: string; runId: string }>): Promise<RunView> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  return (await readRun(ctx, workspaceId, input.runId)).view;
}
