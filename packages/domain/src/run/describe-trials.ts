import type { TrialBrief } from "@rigmark/results/public";
import type { Call } from "../context";
import { noSuchPage } from "../internal/cursor";
import { reachRun } from "../internal/reach";
import { findRun } from "../internal/run/find";
import { loadAttempt } from "../internal/run/load";

interface Page {
  items: TrialBrief[];
  next_cursor: string | null;
}

/** The trials of a run's newest attempt, in the order of the plan. The cursor is a place in it. */
export async function describeTrials({
  ctx,
  input,
}: Call<{ runId: string; cursor?: string | undefined; limit: number }>): Promise<Page> {
  const { workspaceId } = await reachRun(ctx, input.runId, "read");
  const from = input.cursor === undefined ? 0 : Number(/^t(\d{1,6})$/.exec(input.cursor)?.[1] ?? Number.NaN);
  if (Number.isNaN(from)) throw noSuchPage();
  const { attempt_id } = await findRun(ctx, workspaceId, input.runId);
  const { entries, trials } = await loadAttempt(ctx, workspaceId, attempt_id);
  const page = trials.slice(from, from + input.limit);
  const end = from + page.length;
  return {
    items: page.map((trial) => ({
      id: trial.trial_id,
      label: entries.find((e) => e.key === trial.entry_key)?.label ?? "",
      scenario: trial.scenario_id,
      block: trial.block,
      position: trial.position,
      state: trial.state,
      reasons: trial.reasons,
      labels: trial.labels,
      warmup_s: trial.warmup_s,
      duration_s: trial.duration_s,
      limit: trial.limit,
      result: trial.result,
      resources: trial.resources,
    })),
    next_cursor: end < trials.length ? `t${end}` : null,
  };
}
