import type { RunSeries } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { findRun } from "../internal/run/find";
import { readSeries } from "../internal/run/read-series";

export async function getRunSeries({
  ctx,
  input,
}: Call<{
  workspace: string;
  runId: string;
  trialId?: string | undefined;
  maxPoints: number;
}>): Promise<RunSeries> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const { attempt_id: attemptId } = await findRun(ctx, workspaceId, input.runId);
  return { series: attemptId ? await readSeries(ctx, { workspaceId, attemptId }, input) : [] };
}
