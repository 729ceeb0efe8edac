import type { Bound } from "@rigmark/metrics";
import { counts, lostRatio } from "./lost";
import type { Ranking } from "./ranking";
import type { TrialView } from "./view/run";

/**
 * What packages/stats makes of single trials and does not write down: in which of them a figure counts, and of how many
 * blocks a ratio is the mean. Only for what stands beside a figure; no figure is made here. Without schemas, as ranking.ts.
 */

export type Counted = Pick<
  TrialView,
  "entry_key" | "scenario" | "block" | "state" | "limit" | "result" | "resources"
>;

const P99 = 99;
/** n × (1 − q) ≥ 10. */
const LEAST_FOR_P99 = 1000;
/** Of a rate at which processor time is compared: the work has to have been the same, not its moments. */
const MAY_GO_UNANSWERED = 0.01;

/** Whether the p99 of a trial at a fixed rate counts (docs/method.md). */
export const p99Counts = ({ result }: Pick<TrialView, "result">): boolean =>
  result !== null &&
  result.offered !== null &&
  result.requests >= LEAST_FOR_P99 &&
  counts(P99, lostRatio([result]));

/** n × (1 − q) ≥ 10. */
const LEAST_FOR_P50 = 20;

/** The same of the p50 of a closed loop. */
export const p50Counts = ({ result }: Pick<TrialView, "result">): boolean =>
  result !== null && result.requests >= LEAST_FOR_P50 && counts(50, lostRatio([result]));

const of = (trials: readonly Counted[], scenario: string, entryKey: string): Counted[] =>
  trials.filter((t) => t.scenario === scenario && t.entry_key === entryKey);

function lostRate({ result }: Counted, { metric }: Pick<Ranking, "metric">, mayGo: number): boolean {
  if (!result?.offered || result.offered.requests <= 0) return false;
  if (metric !== "cpu_us_per_request") return !counts(P99, lostRatio([result]));
  const answered = result.requests - result.failures.total;
  return result.offered.requests - answered > mayGo * result.offered.requests;
}

/** As much as the host took of the processors: nobody answers while somebody else has them. */
function mayGoUnanswered(valid: readonly Counted[]): number {
  const taken = valid.reduce((sum, t) => sum + (t.resources?.host_taken_ratio ?? 0), 0);
  return Math.max(MAY_GO_UNANSWERED, valid.length === 0 ? 0 : taken / valid.length);
}

/** "rate not sustained in 3 of 5 trials"; null where it was, and where none was fixed. */
export function notSustained(
  trials: readonly Counted[],
  scenario: string,
  entryKey: string,
  ranking: Pick<Ranking, "metric" | "fixed">,
): string | null {
  if (!ranking.fixed) return null;
  const valid = of(trials, scenario, entryKey).filter((t) => t.state === "valid");
  const mayGo = mayGoUnanswered(valid);
  const lost = valid.filter((t) => lostRate(t, ranking, mayGo)).length;
  if (ranking.metric === "cpu_us_per_request" && !lostTogether(valid, mayGo)) return null;
  return lost > 0 ? `rate not sustained in ${lost} of ${valid.length} trials` : null;
}

/** Unanswered of all that was offered: one pause of the host in one trial is no server that cannot sustain the rate. */
function lostTogether(trials: readonly Counted[], mayGo: number): boolean {
  let [offered, answered] = [0, 0];
  for (const { result } of trials) {
    if (!result?.offered || result.offered.requests <= 0) continue;
    offered += result.offered.requests;
    answered += Math.min(result.offered.requests, result.requests - result.failures.total);
  }
  return offered - answered > mayGo * offered;
}

/** How many blocks an entry and the baseline have in common, and in how many of them the tool was the limit. */
export interface Pair {
  blocks: number;
  entryBound: number;
  baselineBound: number;
}

export function pairOf(
  trials: readonly Counted[],
  scenario: string,
  entryKey: string,
  baselineKey: string | undefined,
  ranking: Pick<Ranking, "countsIn">,
): Pair {
  const [own, theirs] = [entryKey, baselineKey ?? ""].map((key) =>
    blocksOf(of(trials, scenario, key), ranking),
  );
  const common = [...(own ?? [])].filter(([block]) => theirs?.has(block));
  return {
    blocks: common.length,
    entryBound: common.filter(([, bound]) => bound).length,
    baselineBound: common.filter(([block]) => theirs?.get(block)).length,
  };
}

/** Of each block whether the tool was the limit in it. A block with a trial that does not count is none. */
function blocksOf(trials: readonly Counted[], ranking: Pick<Ranking, "countsIn">): Map<number, boolean> {
  const blocks = new Map<number, boolean>();
  for (const t of trials)
    blocks.set(t.block, (blocks.get(t.block) ?? false) || t.limit === "generator-bound");
  for (const t of trials) if (!ranking.countsIn(t)) blocks.delete(t.block);
  return blocks;
}

const OTHER = { "≥": "≤", "≤": "≥" } as const;

/**
 * Of a ratio to the baseline: a bound of the entry, or the other way round one of the baseline. It is a mean over blocks,
 * so one block of which the tool was the limit makes a bound of it.
 */
export function ratioBound(ranking: Ranking, { entryBound, baselineBound }: Pair): Bound {
  const own = ranking.boundOf({ lower_bound: entryBound > 0 });
  const theirs = ranking.boundOf({ lower_bound: baselineBound > 0 });
  if (own) return theirs ? null : own;
  return theirs ? OTHER[theirs] : null;
}
