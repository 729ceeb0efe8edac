import { RunSummary } from "@rigmark/results";
import { summarize as computeSummary } from "@rigmark/stats";
import type { Ctx } from "../../context";
import type { Loaded } from "./load";
import { type Measured, statsInput } from "./stats-input";

/** What the trials so far say. All of it comes from packages/stats. Null before the first trial ended. */
export function summarize(loaded: Loaded): RunSummary | null {
  return summaryOf({
    ...loaded,
    trials: loaded.trials.map((t) => ({ ...t, scenario: t.scenario_id, windows: t.slices.length })),
    blocks: loaded.attempt?.plan_blocks ?? null,
  });
}

export function summaryOf(run: Measured): RunSummary | null {
  const input = statsInput(run);
  return input && RunSummary.parse(computeSummary(input));
}

/** The same for a page, which must open even when an agent sent what does not add up. */
export function trySummarize(ctx: Ctx, runId: string, loaded: Loaded): RunSummary | null {
  try {
    return summarize(loaded);
  } catch (error) {
    ctx.log.error({ err: error, run_id: runId }, "The summary of a run could not be made.");
    return null;
  }
}
