import type { Words } from "./words";

/** Words for what packages/stats decides as codes: the same in charts, tables and Markdown. */

type Verdict = "faster" | "slower" | "no-difference" | "not-comparable";
export type RankedMetric = "requests_per_s" | "p99_us" | "cpu_us_per_request" | "first_byte_p50_us";

const METRIC = {
  requests_per_s: "requests_per_s",
  p99_us: "latency_p99_us",
  cpu_us_per_request: "server_cpu_us_per_request",
  first_byte_p50_us: "first_byte_p50_us",
} as const;

/** Title and meaning of what ranks. The throughput that a knee search confirmed is a knee rate. */
export const rankedMetric = (w: Words, metric: RankedMetric, loadKind?: string) =>
  w.metric(loadKind === "knee" && metric === "requests_per_s" ? "knee_rate_per_s" : METRIC[metric]);

export const axisOf = (w: Words, metric: RankedMetric): string => w.t(`figure.axis.${metric}`);

/** A figure where nothing else says what it is. */
export const figureOf = (w: Words, metric: RankedMetric, figure: string): string =>
  w.t(`figure.suffix.${metric}`, { figure });

/** A verdict for a cell. Of what a request costs nobody is faster. */
export function verdictOf(w: Words, verdict: Verdict, metric: RankedMetric): string {
  const cost = { faster: "spendsLess", slower: "spendsMore" } as const;
  const key =
    metric === "cpu_us_per_request" && (verdict === "faster" || verdict === "slower")
      ? cost[verdict]
      : verdict;
  return w.t(`figure.verdicts.${key}`);
}

export const limitOf = (w: Words, limit: "server-bound" | "generator-bound" | "nothing-saturated"): string =>
  w.t(`figure.limits.${limit}`);

/** Of a percentile that counts in some of the valid trials. */
export const countedOf = (w: Words, { n, all }: { n: number; all: number }): string =>
  w.t("figure.countsIn", { n, all });

/** Of an entry without a rank, for a cell or a bar. */
export function unrankedShort(w: Words, entry: { unranked_code: string | null } | undefined): string | null {
  const why = entry?.unranked_code ?? null;
  if (why === null) return null;
  return w.t(why === "failed-verification" ? "figure.failedVerification" : "figure.notRanked");
}

/**
 * Sentences and phrases of a cell, one after another: within it none ends as a sentence does.
 */
export const inOneCell = (w: Words, parts: readonly (string | null | undefined | false)[]): string => {
  const told = parts.filter((part): part is string => Boolean(part));
  return told
    .map((part, i) => (i < told.length - 1 ? part.replace(/[.。](\u2069?”?)$/, "$1") : part))
    .join(w.t("ui.semicolon"));
};
