import type { PlanBlocks, RunSpec } from "@rigmark/protocol";
import { MAX_TRIALS, RUN_RANGES } from "@rigmark/protocol/run-ranges";

/**
 * How many blocks a run has, in words. A file of its own, without schemas: a public report's browser code needs it, and
 * must not carry zod with it.
 */

const plural = (n: number, one: string): string =>
  `${n.toLocaleString("en-US")} ${n === 1 ? one : `${one}s`}`;

/** The limit where none was given, times the repeats. */
const DEFAULT_TIMES = 4;
/**
 * Blocks that a verdict needs, as in `packages/stats/src/verdict.rs`. A run with a precision is first looked at, and may
 * first end, after these; fewer are no limit for it.
 */
export const BLOCKS_FOR_VERDICT = 5;

type Blocks = Pick<RunSpec, "repeats" | "precision" | "max_repeats" | "entries" | "scenarios">;
/** As the agent planned them: the truth, once it is there. */
type Planned = Pick<PlanBlocks, "least" | "most"> | null;

/** The limit of blocks where none was given: four times the repeats and at least what a verdict takes, as far as a run may be. */
export function defaultMost(repeats: number, pairs: number): number {
  const room = Math.floor(MAX_TRIALS / Math.max(1, pairs));
  const usual = Math.max(repeats * DEFAULT_TIMES, BLOCKS_FOR_VERDICT);
  return Math.max(repeats, Math.min(usual, RUN_RANGES.repeats.max, room));
}

/** Blocks of each scenario: so many in any case, and so many at most. Reports from before there was a precision have none. */
export function blockRange(spec: Blocks, planned: Planned = null): { least: number; most: number } {
  if (planned) return { least: planned.least, most: planned.most };
  const { repeats } = spec;
  if ((spec.precision ?? null) === null) return { least: repeats, most: repeats };
  const most = spec.max_repeats ?? defaultMost(repeats, spec.entries.length * spec.scenarios.length);
  return { least: Math.min(most, Math.max(repeats, BLOCKS_FOR_VERDICT)), most };
}

/** 0.02 as `± 2 %`. */
export const precisionInWords = (precision: number): string =>
  `±\u00a0${Number((precision * 100).toFixed(3))}\u00a0%`;

/** `5 blocks`, or `5 to 20 blocks`. */
export function blocksInWords(spec: Blocks, planned: Planned = null): string {
  const { least, most } = blockRange(spec, planned);
  return least === most ? plural(least, "block") : `${least} to ${plural(most, "block")}`;
}

interface Measured {
  block: number;
  state: string;
}
/** Blocks of which anything was measured. */
export const blocksMeasured = (trials: readonly Measured[]): number =>
  new Set(trials.flatMap((t) => (["valid", "invalid", "failed"].includes(t.state) ? [t.block] : []))).size;

/** How a run that is over ended: only a rule that found enough ends it early, and says so with a label. */
export const endOf = (
  trials: readonly Measured[],
  labels: readonly { code: string }[],
): { measured: number; early: boolean } => ({
  measured: blocksMeasured(trials),
  early: labels.some((l) => l.code === "ended-early"),
});
