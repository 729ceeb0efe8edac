import type { EntrySummary, ReportRun, RunSummary } from "@rigmark/results";
import type { Measured } from "./stats-input";
import { summaryOf } from "./summarize";

/**
 * Reports from before packages/stats said as codes what counts, what is bounded and why not. A report never changes, so
 * its figures, ranks and sentences stay; only the codes beside them are worked out from its trials.
 */
export function completeSummary(run: ReportRun): ReportRun {
  const isOld = run.summary?.scenarios.some((s) => s.entries.some(isIncomplete));
  return isOld ? { ...run, summary: withCodesOf(run) } : run;
}

type Run = Omit<Measured, "trials"> & Pick<ReportRun, "trials" | "summary">;

/** The summary of a run with the codes that its trials give now. */
export function withCodesOf(run: Run): RunSummary | null {
  const computed = summaryOf({
    ...run,
    trials: run.trials.map((t) => ({ ...t, windows: t.done_slices.length })),
  });
  return run.summary && computed ? withCodes(run.summary, computed) : run.summary;
}

const isIncomplete = (e: EntrySummary): boolean =>
  e.latency_bound === undefined ||
  e.trials.length !== e.trials_valid + e.trials_invalid ||
  (e.unranked_reason !== null) !== (e.unranked_code !== null) ||
  e.percentiles.some((p) => (p.note !== null) !== (p.note_code !== null));

const withCodes = (stored: RunSummary, computed: RunSummary): RunSummary => ({
  ...stored,
  scenarios: stored.scenarios.map((s) => {
    const same = computed.scenarios.find((c) => c.scenario === s.scenario);
    return {
      ...s,
      entries: s.entries.map((e) => {
        const found = same?.entries.find((c) => c.entry_key === e.entry_key);
        return found ? entryWithCodes(e, found) : e;
      }),
    };
  }),
});

function entryWithCodes(stored: EntrySummary, computed: EntrySummary): EntrySummary {
  const unranked = stored.unranked_reason === null ? null : (computed.unranked_code ?? "no-figure");
  const { not_sustained, trials, blocks_in_common, ratio_bound, latency_bound } = computed;
  const { server_cpu_cores, tool_latency } = computed;
  const percentiles = stored.percentiles.map((p) => {
    const found = computed.percentiles.find((c) => c.p === p.p);
    return { ...p, note_code: p.note === null ? null : (found?.note_code ?? "unknown") };
  });
  return {
    ...stored,
    unranked_code: unranked,
    not_sustained,
    trials,
    blocks_in_common,
    ratio_bound,
    latency_bound,
    server_cpu_cores,
    tool_latency,
    no_cpu_code: stored.cpu_us_per_request === null ? (computed.no_cpu_code ?? "not-read") : null,
    percentiles,
  };
}
