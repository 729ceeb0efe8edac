import { type Figure, fact } from "@rigmark/rig/research";
import { alike, flip, THROUGHPUT } from "./aa";
import { COST, dearer } from "./ab";
import { isDifference, type Recorded } from "./record";
import { drawing, logRatios, type Metric, type Pair, pairsOf, scaled, some, verdictOf } from "./sets";
import { setting } from "./setting";

const DIFFERENCES = [0.02, 0.05, 0.1];

/** How often a comparison shows a difference of 2, 5 and 10 %, put into blocks that were recorded without one. */
export async function power(): Promise<Figure[]> {
  const same = (await alike()).map(({ run }) => run);
  const { reference, comparisons } = await dearer();
  const differs = [...reference, ...comparisons].map(({ run }) => run);
  return [
    ...figures("throughput", same, THROUGHPUT, "requests_per_s"),
    ...figures("cpu", differs, COST, "cpu_us_per_request"),
  ];
}

function figures(name: string, runs: readonly Recorded[], scenario: string, metric: Metric): Figure[] {
  const of = runs[0]?.plan.scenarios.find((each) => each.id === scenario);
  const pool = alikeOnes(
    runs.flatMap((run) => pairsOf(run, scenario)),
    metric,
  );
  const draw = drawing();
  return DIFFERENCES.map((difference) => {
    let [shown, sets] = [0, 0];
    for (let at = 0; of && at < setting.powerSets; at += 1) {
      const blocks = some(pool, setting.blocks, draw).map((pair) => flip(pair, draw));
      const { verdict } = verdictOf(
        blocks.map((pair) => scaled(pair, metric, 1 + difference)),
        of,
      );
      if (verdict === null || verdict === "not-comparable") continue;
      sets += 1;
      shown += isDifference(verdict) ? 1 : 0;
    }
    return fact(
      `power_${name}_${Math.round(difference * 100)}_percent`,
      sets > 0 ? (shown / sets) * 100 : null,
      `% of ${setting.blocks}-block comparisons`,
    );
  });
}

/** The mean difference is taken out: what is left is noise, as it was recorded. */
function alikeOnes(pairs: readonly Pair[], metric: Metric): Pair[] {
  const logs = logRatios(pairs, metric);
  const mean = logs.reduce((sum, x) => sum + x, 0) / Math.max(1, logs.length);
  return pairs.map((pair) => scaled(pair, metric, Math.exp(-mean)));
}
