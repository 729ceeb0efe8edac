import { say } from "../say";
import { atMost, type Figure, fact } from "./figure";
import { lowerBound } from "./lower-bound";
import type { Comparison, Result, Slice } from "./servers-compare";

/** Two slices at the same offered rate are a pair when what was achieved agrees this closely. */
const RATES_AGREE = 0.05;
const PAIRS_WANTED = 20;
/** So far above its mean a bound may be before more is measured. */
const WITHIN = 0.02;

export const PROMISED = ["epoll", "io-uring", "asm"];
/** The same server with its option `nopush` off. Which of the two costs less is up to the size and the machine. */
export const pushed = (name: string): string => `${name}-push`;
const NGINX_SETTINGS = ["nginx", pushed("nginx")];
const LIMITS: { size: string; against: string; limit: number }[] = [
  { size: "1k", against: "nginx", limit: 0.8 },
  { size: "1k", against: "null", limit: 1.05 },
  { size: "1m", against: "nginx", limit: 1.05 },
  { size: "10m", against: "nginx", limit: 1.05 },
];

const rivalsOf = (against: string): string[] => (against === "nginx" ? NGINX_SETTINGS : [against]);

export interface Ratio {
  /** Null with fewer pairs than were promised. */
  ratio: number | null;
  upper: number | null;
  pairs: number;
  dropped: number;
}

const cost = (slice: Slice): number => slice.cpu_us / slice.requests;
const rate = (slice: Slice): number => slice.requests / slice.seconds;

/** Processor time a request, `a` ÷ `b`: geometric mean of the pairs and the upper 95 % bound of it (Student's t on logarithms). */
export function cpuRatio(a: Result, b: Result): Ratio | null {
  if (a.fault !== null || b.fault !== null) return null;
  const pairs = a.paced.flatMap((slice, at) => {
    const other = b.paced[at];
    return other ? [{ slice, other }] : [];
  });
  const kept = pairs.filter(({ slice, other }) => Math.abs(rate(slice) / rate(other) - 1) <= RATES_AGREE);
  const bound =
    kept.length < PAIRS_WANTED ? null : lowerBound(kept.map(({ slice, other }) => cost(other) / cost(slice)));
  return {
    ratio: bound ? 1 / bound.ratio : null,
    upper: bound ? 1 / bound.lower : null,
    pairs: kept.length,
    dropped: pairs.length - kept.length,
  };
}

/**
 * The highest bound against whoever of the rivals was measured: the cheapest of them is who has to be met. Where both
 * settings of `name` were measured, it meets them with its own cheaper one.
 */
function upperOf(results: readonly Result[], name: string, rivals: readonly string[]): number | null {
  const met = results.filter((r) => rivals.includes(r.name));
  const own = results.filter((r) => r.name === name || r.name === pushed(name));
  if (!own.some((a) => a.name === name) || !met.some((b) => b.name === rivals[0])) return null;
  const bounds = own.map((a) => highest(met.map((b) => cpuRatio(a, b)?.upper ?? null)));
  return bounds.every(isNumber) ? Math.min(...bounds) : null;
}

const highest = (bounds: readonly (number | null)[]): number | null =>
  bounds.every(isNumber) ? Math.max(...bounds) : null;
const isNumber = (bound: number | null): bound is number => bound !== null;

function whyNot(results: readonly Result[], name: string, rivals: readonly string[]): string {
  const met = results.filter((each) => each.name === name || rivals.includes(each.name));
  const failed = met.find((each) => each.fault !== null);
  if (failed) return `${failed.name}: ${failed.fault}.`;
  for (const each of [name, ...rivals])
    if (!met.some((other) => other.name === each)) return `${each} was not measured.`;
  return `Fewer than ${PAIRS_WANTED} pairs of turns had the same rate.`;
}

/** Whether each promise of a size has its pairs, and a bound close to the mean; who failed has none. */
export const enough = (size: string, results: readonly Result[]): boolean => {
  const rivals = LIMITS.filter((each) => each.size === size).flatMap(({ against }) => rivalsOf(against));
  const named = (names: readonly string[]): Result[] => results.filter(({ name }) => names.includes(name));
  return named(PROMISED).every((a) => named(rivals).every((b) => isKnown(cpuRatio(a, b))));
};

const isKnown = (found: Ratio | null): boolean =>
  found === null || (found.ratio !== null && found.upper !== null && found.upper / found.ratio - 1 <= WITHIN);

/** The promises; nginx is met at the best of its own settings. Without measurements, each of them as null. Of all sizes, or of one. */
export function goals(all: ReadonlyMap<string, Comparison>, of?: string): Figure[] {
  const limits = LIMITS.filter(({ size }) => of === undefined || size === of);
  return PROMISED.flatMap((name) =>
    limits.map(({ size, against, limit }) => {
      const rivals = rivalsOf(against);
      const results = all.get(size)?.results ?? [];
      const upper = upperOf(results, name, rivals);
      const figure = atMost(`${size}_cpu_${name}_to_${against}`, upper, "", limit, "upper 95 % bound ");
      return upper === null ? { ...figure, reason: whyNot(results, name, rivals) } : figure;
    }),
  );
}

/** Everything that a reader needs beside the promises. */
export function facts(all: ReadonlyMap<string, Comparison>): Figure[] {
  return [...all].flatMap(([size, { rate: offered, results, rounds, left_out }]) => {
    return [
      fact(`${size}_offered_rate`, offered, "requests/s"),
      fact(`${size}_rounds`, rounds, "rounds"),
      fact(`${size}_rounds_left_out`, left_out, "rounds"),
      ...results.flatMap((result) => {
        const { name, fault } = result;
        if (fault !== null) say(`servers: ${size} ${name}: ${fault}`);
        const of = (...what: Parameters<typeof total>): number | null =>
          fault === null ? total(...what) : null;
        return [
          fact(`${size}_cpu_${name}`, of(result.paced, "cpu_us", "requests"), "µs/request"),
          fact(`${size}_tool_cpu_${name}`, of(result.paced, "tool_us", "requests"), "µs/request"),
          fact(`${size}_rate_${name}`, of(result.closed, "requests", "seconds"), "requests/s"),
          fact(`${size}_cores_${name}`, of(result.closed, "cpu_us", "seconds", 1e6), "cores"),
          ...NGINX_SETTINGS.flatMap((other) => against(size, result, results, other)),
        ];
      }),
    ];
  });
}

/** The mean that the promise's bound belongs to, and how many pairs it stands on. */
function against(size: string, result: Result, results: readonly Result[], name: string): Figure[] {
  const other = results.find((each) => each.name === name);
  if (!other || other === result) return [];
  const found = cpuRatio(result, other);
  const what = `${result.name}_to_${name}`;
  return [
    fact(`${size}_cpu_ratio_${what}`, found?.ratio ?? null, ""),
    fact(`${size}_cpu_upper95_${what}`, found?.upper ?? null, ""),
    fact(`${size}_pairs_${what}`, found?.pairs ?? null, "pairs"),
    fact(`${size}_pairs_dropped_${what}`, found?.dropped ?? null, "pairs"),
  ];
}

function total(slices: readonly Slice[], top: keyof Slice, bottom: keyof Slice, scale = 1): number | null {
  const sum = (key: keyof Slice): number => slices.reduce((all, slice) => all + slice[key], 0);
  return slices.length > 0 && sum(bottom) > 0 ? sum(top) / sum(bottom) / scale : null;
}
