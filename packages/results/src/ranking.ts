import { type Bound, formatBound, METRICS, type MetricId, type Unit } from "@rigmark/metrics";
import type { Scenario } from "@rigmark/protocol";
import type { TrialView } from "./view/run";
import type { BoundSide, EntrySummary, ScenarioSummary, Spread } from "./view/summary";

/**
 * What ranks in a scenario, how it is read and how it is written: the same in tables, charts, Markdown, pictures and
 * badges. A file of its own, without schemas: a public report's browser code needs it, and must not carry zod with it.
 */
export interface Ranking {
  metric: ScenarioSummary["metric"];
  unit: Unit;
  /** As it begins in the CSV's titles. */
  csv: string;
  /** The percentile that it is, in percent; null where it is none. */
  percentile: number | null;
  /** Else less is. */
  moreIsBetter: boolean;
  /** Not where single requests are timed: there the figures stand beside each other, and nobody is first. */
  ranks: boolean;
  spreadOf: (entry: EntrySummary | undefined) => Spread | null;
  ofTrial: (trial: Pick<TrialView, "result">, own: TrialFigures | undefined) => number | null;
  /** `≥` where the tool was the bottleneck of a rate, `≤` of a latency. What a request costs the server is never bounded by it. */
  boundOf: (entry: Pick<EntrySummary, "lower_bound" | "latency_bound"> | undefined) => Bound;
  write: (value: number | null | undefined, bound: Bound) => string;
}

type TrialFigures = EntrySummary["trials"][number];

const FIRST_BYTE = "first_byte_p50_us";

/** Whether a latency ends at the first byte of the response, and not at its last. */
export const untilFirstByte = (scenario: Pick<Scenario, "latency_until"> | undefined): boolean =>
  scenario?.latency_until === "first-byte";

/** What a picture or a badge is of: the first scenario that ranks, if there is one. */
export const firstRanked = <S extends Pick<ScenarioSummary, "metric">>(
  scenarios: readonly S[],
): S | undefined => scenarios.find((s) => s.metric !== FIRST_BYTE) ?? scenarios[0];

/** As it is written that the true figure is at least, or at most, so large. */
const SIGNS: Record<BoundSide, Bound> = { "at-least": "≥", "at-most": "≤" };
const sign = (side: BoundSide | null | undefined): Bound => (side ? SIGNS[side] : null);

/** Of a ratio to the baseline. */
export const signOf = ({ ratio_bound }: Pick<EntrySummary, "ratio_bound">): Bound => sign(ratio_bound);

/** Of a rate, and of what is made of it: bytes a second, requests a second for each MiB. */
export const rateBound = (entry: Pick<EntrySummary, "lower_bound"> | undefined): Bound =>
  entry?.lower_bound ? "≥" : null;

/** Of latencies: percentiles, mean, lowest and highest. */
export const latencyBound = (entry: Pick<EntrySummary, "latency_bound"> | undefined): Bound =>
  sign(entry?.latency_bound);

/** What packages/stats says of a trial. */
export const ofTrialIn = (
  entry: Pick<EntrySummary, "trials"> | undefined,
  { trial_id }: Pick<TrialView, "trial_id">,
): TrialFigures | undefined => entry?.trials.find((t) => t.trial_id === trial_id);

/** Of a trial's figure of what ranks. */
export const trialBound = (own: Pick<TrialFigures, "bound"> | undefined): Bound => sign(own?.bound);

/** Of a trial's rate where it stands by itself, whatever ranks: in lists of trials, which are there before a summary is. */
export const trialRateBound = ({ limit }: Pick<TrialView, "limit">): Bound =>
  limit === "generator-bound" ? "≥" : null;

type Reading = Pick<Ranking, "percentile" | "spreadOf" | "ofTrial" | "boundOf" | "csv"> & { id: MetricId };

const percentile = <P extends { p: number }>(all: readonly P[] | undefined, p: number): P | undefined =>
  all?.find((x) => x.p === p);

const READINGS: Record<ScenarioSummary["metric"], Reading> = {
  requests_per_s: {
    id: "requests_per_s",
    percentile: null,
    csv: "requests_per_s",
    boundOf: rateBound,
    spreadOf: (entry) => entry?.requests_per_s ?? null,
    ofTrial: ({ result }) => result?.requests_per_s ?? null,
  },
  p99_us: {
    id: "latency_p99_us",
    percentile: 99,
    csv: "p99_us",
    boundOf: latencyBound,
    spreadOf: (entry) => percentile(entry?.percentiles, 99)?.us ?? null,
    ofTrial: ({ result }) => percentile(result?.latency?.percentiles, 99)?.us ?? null,
  },
  cpu_us_per_request: {
    id: "server_cpu_us_per_request",
    percentile: null,
    csv: "cpu_us_per_request",
    boundOf: () => null,
    spreadOf: (entry) => entry?.cpu_us_per_request ?? null,
    ofTrial: (_, own) => own?.cpu_us_per_request ?? null,
  },
  [FIRST_BYTE]: {
    id: "first_byte_p50_us",
    percentile: 50,
    csv: FIRST_BYTE,
    boundOf: latencyBound,
    spreadOf: (entry) => percentile(entry?.percentiles, 50)?.us ?? null,
    ofTrial: ({ result }) => percentile(result?.latency?.percentiles, 50)?.us ?? null,
  },
};

export function rankingOf(metric: ScenarioSummary["metric"]): Ranking {
  const { id, ...reading } = READINGS[metric];
  const { unit } = METRICS[id];
  return {
    ...reading,
    metric,
    moreIsBetter: METRICS[id].better === "higher",
    ranks: metric !== FIRST_BYTE,
    unit,
    write: (value, written) => formatBound(value, unit, written),
  };
}

/** In how many of the valid trials a percentile counts, and why not in the others; null where it counts in all, or in none. */
export function partlyCounts(
  entry: Pick<EntrySummary, "percentiles" | "trials_valid"> | undefined,
  p: number,
): { n: number; all: number; note: string | null; note_zh: string | null } | null {
  const found = percentile(entry?.percentiles, p);
  if (!entry || !found?.us || found.note_code !== "counts-in-some") return null;
  return { n: found.us.n, all: entry.trials_valid, note: found.note, note_zh: found.note_zh };
}

/** The same of what stands in a scenario's figure and table; null where that is no percentile. */
export const partlyIn = (ranking: Pick<Ranking, "percentile">, entry: EntrySummary | undefined) =>
  ranking.percentile === null ? null : partlyCounts(entry, ranking.percentile);

type Unranked = Pick<EntrySummary, "unranked_code">;

/** Whether it may stand in a chart: who answers wrongly sets no scale, and what ranks nowhere does no harm there. */
export const isDrawn = ({ ranks }: Pick<Ranking, "ranks">, entry: Unranked | undefined): boolean => {
  const why = entry?.unranked_code ?? null;
  return why === null || (!ranks && why !== "failed-verification");
};
