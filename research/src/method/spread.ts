import { type Figure, fact } from "@rigmark/rig/research";
import { BUSY, THROUGHPUT } from "./aa";
import { COST } from "./ab";
import { compare, type Kept } from "./run";
import { logRatios, type Metric, pairsOf, spread } from "./sets";
import { SLICE, setting } from "./setting";

const WHOLE_TRIALS = "0";
const METRICS: [string, string, Metric][] = [
  ["throughput", THROUGHPUT, "requests_per_s"],
  ["cpu", COST, "cpu_us_per_request"],
];

/** How far apart a server is from itself within a block, with slices and in whole trials, in runs that take turns. */
export async function apart(): Promise<Figure[]> {
  const kinds: { name: string; slice: string; runs: Kept[] }[] = [
    { name: "slices", slice: SLICE, runs: [] },
    { name: "whole_trials", slice: WHOLE_TRIALS, runs: [] },
  ];
  for (let at = 0; at < setting.spreadRuns; at += 1)
    for (const kind of kinds)
      kind.runs.push(
        await compare({
          name: `spread-${kind.name.replace("_", "-")}-${at + 1}`,
          extra: [BUSY, BUSY],
          scenarios: [THROUGHPUT, COST],
          blocks: setting.blocks,
          seed: 4000 + at,
          slice: kind.slice,
        }),
      );
  return METRICS.flatMap(([name, scenario, metric]) =>
    kinds.map((kind) => {
      const logs = kind.runs.flatMap(({ run }) => logRatios(pairsOf(run, scenario), metric));
      const sd = spread(logs);
      return fact(
        `spread_${name}_${kind.name}`,
        sd === null ? null : sd * 100,
        `% over ${logs.length} blocks`,
      );
    }),
  );
}
