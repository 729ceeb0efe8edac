/** One measured number and what was promised about it. */
export interface Figure {
  name: string;
  value: number | null;
  unit: string;
  /** In words, with the unit: "p95 <= 1 s". */
  goal: string;
  /** Null when it could not be measured. */
  holds: boolean | null;
  /** Why there is no value; null where there is one. */
  reason: string | null;
}

const TOO_FEW = "Too few measurements counted.";
const missing = (value: number | null): string | null => (value === null ? TOO_FEW : null);

/** The same figures, none of them measured. */
export const unmeasured = (figures: readonly Figure[], reason: string): Figure[] =>
  figures.map((figure) => ({ ...figure, value: null, holds: null, reason }));

export const atMost = (
  name: string,
  value: number | null,
  unit: string,
  limit: number,
  what = "",
): Figure => ({
  name,
  value: value === null ? null : round(value),
  unit,
  goal: `${what}<= ${limit}${unit === "" ? "" : ` ${unit}`}`,
  holds: value === null ? null : value <= limit,
  reason: missing(value),
});
export const atLeast = (
  name: string,
  value: number | null,
  unit: string,
  limit: number,
  what = "",
): Figure => ({
  name,
  value: value === null ? null : round(value),
  unit,
  goal: `${what}>= ${limit}${unit === "" ? "" : ` ${unit}`}`,
  holds: value === null ? null : value >= limit,
  reason: missing(value),
});
/** Without a promise: what a reader needs to judge the others. */
export const fact = (name: string, value: number | null, unit: string): Figure => ({
  name,
  value: value === null ? null : round(value),
  unit,
  goal: "",
  holds: null,
  reason: missing(value),
});

const round = (value: number): number => Number(value.toPrecision(5));

/** Nearest rank: the smallest value that at least q of all do not exceed. Null of nothing. */
export function quantile(values: readonly number[], q: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? null;
}
