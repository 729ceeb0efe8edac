import { type SummaryInput, summarize } from "@rigmark/stats";
import type { Recorded, RecordedTrial } from "./record";

/** The two trials of a block under one scenario, both valid: the baseline's and the other's. */
export interface Pair {
  a: RecordedTrial;
  b: RecordedTrial;
}

export type Metric = "requests_per_s" | "cpu_us_per_request";

const metricOf = (trial: RecordedTrial, metric: Metric): number | null => {
  if (!trial.result) return null;
  if (metric === "requests_per_s") return trial.result.requests_per_s;
  const cpu = trial.resources?.server_cpu_us ?? null;
  return cpu === null || trial.result.requests === 0 ? null : cpu / trial.result.requests;
};

export function pairsOf(run: Recorded, scenario: string): Pair[] {
  const baseline = run.plan.entries.find((entry) => entry.baseline)?.key;
  const valid = run.trials.filter((trial) => trial.scenario === scenario && trial.status === "valid");
  return valid
    .filter((trial) => trial.entry_key === baseline)
    .flatMap((a) => {
      const b = valid.find((trial) => trial.block === a.block && trial.entry_key !== baseline);
      return b ? [{ a, b }] : [];
    });
}

/** ln(b ÷ a) of each block in which both are known. */
export const logRatios = (pairs: readonly Pair[], metric: Metric): number[] =>
  pairs.flatMap(({ a, b }) => {
    const [under, over] = [metricOf(a, metric), metricOf(b, metric)];
    return under && over ? [Math.log(over / under)] : [];
  });

/** Null of fewer than two. */
export function spread(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1));
}

/** b's figure made `factor` times as large: more requests in the same time, or more processor time for the same requests. */
export function scaled({ a, b }: Pair, metric: Metric, factor: number): Pair {
  if (!b.result || !b.resources) return { a, b };
  if (metric === "requests_per_s")
    return { a, b: { ...b, result: { ...b.result, requests_per_s: b.result.requests_per_s * factor } } };
  const cpu = b.resources.server_cpu_us;
  return {
    a,
    b: { ...b, resources: { ...b.resources, server_cpu_us: cpu === null ? null : cpu * factor } },
  };
}

export const swapped = ({ a, b }: Pair): Pair => ({ a: b, b: a });

/** What the statistics say of these pairs, taken as the blocks of one run. */
export function verdictOf(pairs: readonly Pair[], scenario: Recorded["plan"]["scenarios"][number]) {
  const { id, title, tool, load } = scenario;
  const rate = load.kind === "rate";
  const input: SummaryInput = {
    schema: 1,
    baseline_key: "a",
    entries: [
      { key: "a", label: "a" },
      { key: "b", label: "b" },
    ],
    scenarios: [
      {
        id,
        title,
        tool,
        load: rate ? "rate" : "closed",
        rate_per_s: rate ? (load.rate_per_s ?? null) : null,
        ...(scenario.judged_by ? { judged_by: scenario.judged_by } : {}),
      },
    ],
    trials: pairs.flatMap(({ a, b }, block) => [row("a", a, block), row("b", b, block)]),
    failed_verification: [],
  };
  const entry = summarize(input).scenarios[0]?.entries.find((each) => each.entry_key === "b");
  return { verdict: entry?.verdict ?? null, ratio: entry?.ratio ?? null };
}

const row = (entry_key: string, trial: RecordedTrial, block: number): SummaryInput["trials"][number] => ({
  trial_id: `${entry_key}-${block}`,
  entry_key,
  scenario: trial.scenario,
  block,
  status: trial.status,
  reason: trial.reasons[0]?.message ?? null,
  limit: trial.limit,
  requests: trial.result?.requests ?? null,
  requests_per_s: trial.result?.requests_per_s ?? null,
  failures_total: trial.result?.failures.total ?? null,
  offered: trial.result?.offered ?? null,
  server_cpu_us: trial.resources?.server_cpu_us ?? null,
  server_rss_peak_bytes: trial.resources?.server_rss_peak_bytes ?? null,
  bytes_received: trial.result?.bytes_received ?? null,
  percentiles: trial.result?.latency?.percentiles ?? [],
  mean_us: trial.result?.latency?.mean_us ?? null,
});

/** xorshift32 (Marsaglia, 2003) from a fixed seed: the same sets each time the same blocks are asked. Below 1. */
export function drawing(seed = 2_463_534_242): () => number {
  let x = seed >>> 0;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    x >>>= 0;
    return x / 2 ** 32;
  };
}

/** So many of them, each with the same chance, none twice. */
export function some<T>(values: readonly T[], count: number, draw: () => number): T[] {
  const left = [...values];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [taken] = left.splice(Math.floor(draw() * left.length), 1);
    return taken as T;
  });
}
