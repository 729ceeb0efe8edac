import type { ComparedCurves } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { findRun } from "../internal/run/find";
import { tryReadCurves } from "../internal/run/read-curves";
import { reportRuns } from "../report/find-run";
import { distinctRuns, type RunNames } from "./internal/distinct-runs";

/** Latency percentiles of compared runs: adding up their histograms takes long, so a page asks when somebody wants them. */
export async function compareCurves({
  ctx,
  input,
}: Call<{ workspace: string } & RunNames>): Promise<ComparedCurves> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const { runIds, reports } = distinctRuns(input);
  const runs: ComparedCurves["runs"] = [];
  // One after the other: the histograms of one run alone are many megabytes.
  for (const runId of runIds) {
    const { attempt_id: attemptId } = await findRun(ctx, workspaceId, runId);
    runs.push(attemptId ? await tryReadCurves(ctx, { workspaceId, attemptId }) : []);
  }
  const find = reportRuns(ctx);
  for (const name of reports) runs.push((await find(name)).run.curves);
  return { runs };
}
