import { say } from "../say";
import { type Figure, fact } from "./figure";
import { lowerBound } from "./lower-bound";
import type { Comparison, Result, Slice } from "./servers-compare";

/** Two slices at the same offered rate are a pair when what was achieved agrees this closely. */
const RATES_AGREE = 0.05;
const PAIRS_WANTED = 20;

const PROMISED = ["epoll", "io-uring", "asm"];
const LIMITS: { size: string; against: string; limit: number }[] = [
  { size: "1k", against: "nginx", limit: 0.8 },
  { size: "1k", against: "null", limit: 1.15 },
  { size: "1m", against: "nginx", limit: 1.05 },
  { size: "10m", against: "nginx", limit: 1.05 },
];

export interface Ratio {
  ratio: number;
  upper: number;
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
  return bound
    ? {
        ratio: 1 / bound.ratio,
        upper: 1 / bound.lower,
        pairs: kept.length,
        dropped: pairs.length - kept.length,
      }
    : null;
}

/** The promises. Without measurements, each of them as null. */
export function goals(all: ReadonlyMap<string, Comparison>): Figure[] {
  return PROMISED.flatMap((name) =>
    LIMITS.map(({ size, against, limit }) => {
      const results = all.get(size)?.results;
      const [a, b] = [name, against].map((n) => results?.find((r) => r.name === n));
      const found = a && b ? cpuRatio(a, b) : null;
      return {
        name: `${size}_cpu_${name}_to_${against}`,
        value: found ? Number(found.upper.toPrecision(4)) : null,
        unit: "",
        goal: `upper 95 % bound <= ${limit}`,
        holds: found ? found.upper <= limit : null,
      };
    }),
  );
}

/** Everything that a reader needs beside the promises. */
export function facts(all: ReadonlyMap<string, Comparison>): Figure[] {
  return [...all].flatMap(([size, { rate: offered, results }]) => {
    const nginx = results.find((r) => r.name === "nginx");
    return [
      fact(`${size}_offered_rate`, offered, "requests/s"),
      ...results.flatMap((result) => {
        if (result.fault !== null) say(`servers: ${size} ${result.name}: ${result.fault}`);
        const sound = result.fault === null;
        const found = nginx ? cpuRatio(result, nginx) : null;
        return [
          fact(
            `${size}_cpu_${result.name}`,
            sound ? total(result.paced, "cpu_us", "requests") : null,
            "µs/request",
          ),
          fact(
            `${size}_rate_${result.name}`,
            sound ? total(result.closed, "requests", "seconds") : null,
            "requests/s",
          ),
          fact(
            `${size}_cores_${result.name}`,
            sound ? total(result.closed, "cpu_us", "seconds", 1e6) : null,
            "cores",
          ),
          fact(`${size}_cpu_ratio_${result.name}_to_nginx`, found?.ratio ?? null, ""),
          fact(`${size}_pairs_${result.name}`, found?.pairs ?? null, "pairs"),
          fact(`${size}_pairs_dropped_${result.name}`, found?.dropped ?? null, "pairs"),
        ];
      }),
    ];
  });
}

function total(slices: readonly Slice[], top: keyof Slice, bottom: keyof Slice, scale = 1): number | null {
  const sum = (key: keyof Slice): number => slices.reduce((all, slice) => all + slice[key], 0);
  return slices.length > 0 && sum(bottom) > 0 ? sum(top) / sum(bottom) / scale : null;
}
