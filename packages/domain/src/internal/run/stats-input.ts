import type { PlanEntry, Scenario, Verify } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import type { SummaryInput } from "@rigmark/stats";

/** What a summary is made from: rows of an attempt, or a run as a report keeps it. */
export interface Measured {
  entries: readonly Pick<PlanEntry, "key" | "label" | "baseline">[];
  scenarios: readonly Scenario[];
  trials: readonly MeasuredTrial[];
  verify: readonly Verify[];
  /** How often the run may be looked at, and how many blocks it asked for. */
  blocks: { looks: readonly unknown[]; least: number } | null;
}
interface MeasuredTrial
  extends Pick<
    TrialView,
    "trial_id" | "entry_key" | "block" | "state" | "reasons" | "limit" | "result" | "resources" | "rounds"
  > {
  scenario: string;
  /** Windows of load. */
  windows: number;
}

type Done = MeasuredTrial & { state: SummaryInput["trials"][number]["status"] };
const isDone = (t: MeasuredTrial): t is Done => t.state !== "planned" && t.state !== "running";

/** The input of packages/stats. Null before the first trial ended. Nothing is judged here. */
export function statsInput(run: Measured): SummaryInput | null {
  const done = run.trials.filter(isDone);
  if (done.length === 0 || run.entries.length === 0) return null;
  return {
    schema: 1,
    baseline_key: run.entries.find((e) => e.baseline)?.key ?? null,
    entries: run.entries.map(({ key, label }) => ({ key, label })),
    looks: run.blocks?.looks.length ?? 1,
    blocks_asked: run.blocks?.least ?? null,
    scenarios: run.scenarios.map(({ id, title, tool, load, ...scenario }) => ({
      id,
      title,
      tool,
      load: load.kind,
      rate_per_s: load.kind === "rate" ? load.rate_per_s : null,
      judged_by: scenario.judged_by ?? null,
      latency_until: scenario.latency_until ?? null,
      connections: load.connections,
      in_flight: scenario.in_flight ?? null,
    })),
    trials: done.map((t) => ({
      trial_id: t.trial_id,
      entry_key: t.entry_key,
      scenario: t.scenario,
      block: t.block,
      status: t.state,
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
      stdev_us: t.result?.latency?.stdev_us ?? null,
      min_us: t.result?.latency?.min_us ?? null,
      max_us: t.result?.latency?.max_us ?? null,
      window_us: t.resources?.window_us ?? null,
      energy_uj: t.resources?.energy_uj ?? null,
      loopback_bytes: t.resources?.loopback_bytes ?? null,
      windows: t.windows,
      reason_code: t.reasons[0]?.code ?? null,
      steal_ratio: t.resources?.host_steal_ratio ?? null,
      taken_ratio: t.resources?.host_taken_ratio ?? null,
      rounds: t.rounds ?? null,
    })),
    failed_verification: failedVerification(run),
  };
}

/** Wrong for one load is not wrong for another: each entry once for each scenario, with the first thing that was wrong. */
function failedVerification(run: Measured): SummaryInput["failed_verification"] {
  const failed = new Map<string, SummaryInput["failed_verification"][number]>();
  const known = new Set(run.entries.map((e) => e.key));
  const scenarios = new Map(run.trials.map((t) => [t.trial_id, t.scenario]));
  for (const { status, entry_key, trial_id, checks } of run.verify) {
    const scenario = (trial_id && scenarios.get(trial_id)) || null;
    const key = `${entry_key} ${scenario}`;
    if (status !== "failed" || failed.has(key) || !known.has(entry_key)) continue;
    const check = checks.find((c) => c.status === "failed");
    const reason = check?.message ?? check?.title ?? "The server did not respond correctly.";
    failed.set(key, { entry_key, scenario, reason });
  }
  return [...failed.values()];
}
