import { RunSummary } from "@rigmark/results";
import { isUnranked, unranked, withUnranked } from "@rigmark/results/first-byte";
import { underWay as underWayOf } from "@rigmark/results/under-way";
import { summarise as computeSummary } from "@rigmark/stats";
import type { Ctx } from "../../context";
import type { Loaded } from "./load";

/** What the trials so far say. All of it comes from packages/stats. Null before the first trial ended. */
export function summarise(loaded: Loaded): RunSummary | null {
  const done = loaded.trials.filter((t) => t.state !== "planned" && t.state !== "running");
  if (done.length === 0 || loaded.entries.length === 0) return null;
  const failed = failedVerification(loaded);
  const scenarios = new Map(loaded.scenarios.map((s) => [s.id, s]));
  const underWay = (id: string, windows: number) => {
    const scenario = scenarios.get(id);
    return scenario ? underWayOf(scenario, windows) : null;
  };
  const isRanked = (id: string) => !loaded.scenarios.some((s) => s.id === id && isUnranked(s));
  // Scenarios that rank are summed up without the others: these widen no interval, and win nothing for anybody.
  const summed = (ranks: boolean) =>
    computeSummary({
      schema: 1,
      baseline_key: loaded.entries.find((e) => e.baseline)?.key ?? null,
      entries: loaded.entries.map(({ key, label }) => ({ key, label })),
      looks: loaded.attempt?.plan_blocks?.looks.length ?? 1,
      blocks_asked: loaded.attempt?.plan_blocks?.least ?? null,
      scenarios: loaded.scenarios
        .filter((s) => isRanked(s.id) === ranks)
        .map(({ id, title, tool, load, judged_by }) => ({
          id,
          title,
          tool,
          load: load.kind === "rate" || load.kind === "knee" ? load.kind : "closed",
          rate_per_s: load.kind === "rate" ? load.rate_per_s : null,
          judged_by: judged_by ?? null,
        })),
      trials: done
        .filter((t) => isRanked(t.scenario_id) === ranks)
        .map((t) => ({
          trial_id: t.trial_id,
          entry_key: t.entry_key,
          scenario: t.scenario_id,
          block: t.block,
          status: t.state as "valid" | "invalid" | "failed" | "cancelled",
          reason: t.reasons[0]?.message ?? null,
          limit: t.limit,
          requests: t.result?.requests ?? null,
          requests_per_s: t.result?.requests_per_s ?? null,
          failures_total: t.result?.failures.total ?? null,
          offered: t.result?.offered ?? null,
          server_cpu_us: t.resources?.server_cpu_us ?? null,
          server_rss_peak_bytes: t.resources?.server_rss_peak_bytes ?? null,
          bytes_received: t.result?.bytes_received ?? null,
          percentiles: t.result?.latency?.percentiles ?? [],
          mean_us: t.result?.latency?.mean_us ?? null,
          energy_uj: t.resources?.energy_uj ?? null,
          loopback_bytes: t.resources?.loopback_bytes ?? null,
          under_way: underWay(t.scenario_id, t.slices.length),
          reason_code: t.reasons[0]?.code ?? null,
          steal_ratio: t.resources?.host_steal_ratio ?? null,
          taken_ratio: t.resources?.host_taken_ratio ?? null,
          rounds: t.rounds ?? null,
        })),
      failed_verification: failed,
    });
  const ranked = summed(true);
  if (!loaded.scenarios.some(isUnranked)) return RunSummary.parse(ranked);
  const singles = RunSummary.parse(summed(false)).scenarios.map((s) => unranked(s, loaded.entries));
  return withUnranked(RunSummary.parse(ranked), singles, loaded.scenarios);
}

/** The same for a page, which must open even when an agent sent what does not add up. */
export function trySummarise(ctx: Ctx, runId: string, loaded: Loaded): RunSummary | null {
  try {
    return summarise(loaded);
  } catch (error) {
    ctx.log.error({ err: error, run_id: runId }, "The summary of a run could not be made.");
    return null;
  }
}

/** Wrong for one load is not wrong for another: each entry once for each scenario, with the first thing that was wrong. */
function failedVerification(
  loaded: Loaded,
): { entry_key: string; scenario: string | null; reason: string }[] {
  const failed = new Map<string, { entry_key: string; scenario: string | null; reason: string }>();
  const known = new Set(loaded.entries.map((e) => e.key));
  const scenarios = new Map(loaded.trials.map((t) => [t.trial_id, t.scenario_id]));
  for (const { status, entry_key, trial_id, checks } of loaded.verify) {
    const scenario = (trial_id && scenarios.get(trial_id)) || null;
    const key = `${entry_key} ${scenario}`;
    if (status !== "failed" || failed.has(key) || !known.has(entry_key)) continue;
    const check = checks.find((c) => c.status === "failed");
    const reason = check?.message ?? check?.title ?? "The server did not answer correctly.";
    failed.set(key, { entry_key, scenario, reason });
  }
  return [...failed.values()];
}
