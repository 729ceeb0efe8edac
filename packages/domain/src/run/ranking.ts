import { type Bound, formatBound, METRICS, type MetricId, type Unit } from "@rigmark/metrics";
import type { EntrySummary, ScenarioSummary, Spread } from "./summary";
import type { TrialView } from "./view";

/**
 * What ranks in a scenario, how it is read and how it is written: the same in tables, charts, Markdown, pictures and
 * badges. A file of its own, without schemas: a public report's browser code needs it, and must not carry zod with it.
 */
export interface Ranking {
  metric: ScenarioSummary["metric"];
  unit: Unit;
  title: string;
  axisTitle: string;
  meaning: string;
  /** As it begins in the CSV's titles. */
  csv: string;
  /** Written behind the figure where nothing else says what it is. */
  suffix: string;
  spreadOf: (entry: EntrySummary | undefined) => Spread | null;
  ofTrial: (trial: Pick<TrialView, "result" | "resources">) => number | null;
  /** `≥` where the tool was the limit of a rate, `≤` of a latency. What a request costs the server is never bounded by it. */
  boundOf: (entry: Pick<EntrySummary, "lower_bound"> | undefined) => Bound;
  write: (value: number | null | undefined, bound: Bound) => string;
}

type Reading = Pick<Ranking, "spreadOf" | "ofTrial" | "suffix" | "axisTitle" | "csv"> & {
  id: MetricId;
  bound: Bound;
};

const percentile = <P extends { p: number }>(all: readonly P[] | undefined, p: number): P | undefined =>
  all?.find((x) => x.p === p);

const READINGS: Record<ScenarioSummary["metric"], Reading> = {
  requests_per_s: {
    id: "requests_per_s",
    csv: "requests_per_s",
    axisTitle: "requests per second",
    suffix: "",
    bound: "≥",
    spreadOf: (entry) => entry?.requests_per_s ?? null,
    ofTrial: ({ result }) => result?.requests_per_s ?? null,
  },
  p99_us: {
    id: "latency_p99_us",
    csv: "p99_us",
    axisTitle: "p99 latency",
    suffix: " p99",
    bound: "≤",
    spreadOf: (entry) => percentile(entry?.percentiles, 99)?.us ?? null,
    ofTrial: ({ result }) => percentile(result?.latency?.percentiles, 99)?.us ?? null,
  },
  cpu_us_per_request: {
    id: "server_cpu_us_per_request",
    csv: "cpu_us_per_request",
    axisTitle: "server CPU per request",
    suffix: " CPU a request",
    bound: null,
    spreadOf: (entry) => entry?.cpu_us_per_request ?? null,
    ofTrial: ({ result, resources }) =>
      result && result.requests > 0 && resources && resources.server_cpu_us !== null
        ? resources.server_cpu_us / result.requests
        : null,
  },
};

/** `loadKind` is that of the scenario: the throughput that a knee search confirmed is a knee rate. */
export function rankingOf(metric: ScenarioSummary["metric"], loadKind?: string): Ranking {
  const { id, bound, ...reading } = READINGS[metric];
  const { title, unit, meaning } =
    METRICS[loadKind === "knee" && id === "requests_per_s" ? "knee_rate_per_s" : id];
  return {
    ...reading,
    metric,
    title,
    unit,
    meaning,
    boundOf: (entry) => (entry?.lower_bound ? bound : null),
    write: (value, written) => formatBound(value, unit, written),
  };
}

const OTHER = { "≥": "≤", "≤": "≥" } as const;

/** Of a ratio to the baseline: a bound of the entry, or the other way round one of the baseline. */
export function ratioBound(
  ranking: Ranking,
  entry: Pick<EntrySummary, "lower_bound">,
  baseline: Pick<EntrySummary, "lower_bound"> | undefined,
): Bound {
  const [own, theirs] = [ranking.boundOf(entry), ranking.boundOf(baseline)];
  if (own) return theirs ? null : own;
  return theirs ? OTHER[theirs] : null;
}

const COST_WORDS = { faster: "spends less", slower: "spends more" } as const;
const VERDICT_WORDS = {
  faster: "faster",
  slower: "slower",
  "no-difference": "no difference shown",
  "not-comparable": "not comparable",
} as const;

/** A verdict for a cell. Of what a request costs nobody is faster. */
export function verdictInWords(
  verdict: NonNullable<EntrySummary["verdict"]>,
  metric: ScenarioSummary["metric"],
): string {
  return metric === "cpu_us_per_request" && (verdict === "faster" || verdict === "slower")
    ? COST_WORDS[verdict]
    : VERDICT_WORDS[verdict];
}

/** What stands beside a figure that several entries have only because the tool could not do more. */
export const SHARED_CEILING = "shared ceiling";
