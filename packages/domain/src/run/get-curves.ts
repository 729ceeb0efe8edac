import type { RunCurves } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { findRun } from "../internal/run/find";
import { tryReadCurves } from "../internal/run/read-curves";

export async function getRunCurves({
  ctx,
  input,
}: Call<{ workspace: string; runId: string }>): Promise<RunCurves> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const { attempt_id: attemptId } = await findRun(ctx, workspaceId, input.runId);
  return { curves: attemptId ? await tryReadCurves(ctx, { workspaceId, attemptId }) : [] };
}
