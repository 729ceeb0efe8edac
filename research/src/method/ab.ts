import { atLeast, CommandError, type Figure, fact, say } from "@rigmark/rig/research";
import { judged } from "./record";
import { compare, type Kept } from "./run";
import { logRatios, pairsOf, spread } from "./sets";
import { setting } from "./setting";

export const COST = "plaintext-cpu";
const METRIC = "cpu_us_per_request";
const DEARER = 0.05;
/** Large enough that few blocks tell about what a thousandth comes to on this host; what it comes to near 5 % is less than in proportion, so a second pilot is made there. */
const PILOT = 500;
const PILOT_BLOCKS = { far: 10, near: 60 };

export interface Known {
  comparisons: Kept[];
  reference: Kept[];
}

/** Comparisons with the dearer build, and between them the blocks that tell the true ratio, so that both see one machine. */
export async function dearer(): Promise<Known> {
  const extra = await about5Percent();
  const known: Known = { comparisons: [], reference: [] };
  const of = (name: string, at: number, blocks: number, seed: number) =>
    compare({
      name: `${name}-${String(at + 1).padStart(2, "0")}`,
      extra: [0, extra],
      scenarios: [COST],
      blocks,
      seed,
    });
  const { reference, dearer: costing } = setting;
  for (let at = 0; at < Math.max(costing.comparisons, reference.runs); at += 1) {
    if (at < reference.runs) known.reference.push(await of("ab-reference", at, reference.blocks, 2000 + at));
    if (at < costing.comparisons) known.comparisons.push(await of("ab", at, costing.blocks, 1000 + at));
  }
  return known;
}

export async function about5Percent(): Promise<number> {
  const near = await scaled(PILOT, PILOT_BLOCKS.far);
  return setting.short ? near : await scaled(near, PILOT_BLOCKS.near);
}

/** So many thousandths as come to 5 %, in proportion to what `extra` of them were measured to cost. */
async function scaled(extra: number, blocks: number): Promise<number> {
  const { run } = await compare({
    name: `ab-pilot-${extra}`,
    extra: [0, extra],
    scenarios: [COST],
    blocks,
    seed: 3000,
  });
  const ratio = ratioOf(logRatios(pairsOf(run, COST), METRIC));
  if (ratio === null || ratio <= 1 + DEARER / 3)
    throw new CommandError(
      `${extra} thousandths of extra work came to a ratio of ${ratio?.toFixed(3) ?? "nothing that is known"}: this host is too busy to tell what a thousandth is; end what else runs and start again.`,
    );
  const wanted = Math.round((extra * DEARER) / (ratio - 1));
  say(`method: ${extra} thousandths cost ${((ratio - 1) * 100).toFixed(1)} %, so b does ${wanted}`);
  return wanted;
}

const ratioOf = (logs: readonly number[]): number | null =>
  logs.length === 0 ? null : Math.exp(logs.reduce((sum, x) => sum + x, 0) / logs.length);

/** A difference of about 5 % that is really there: how often it is shown, and how often the interval holds it. */
export async function ab(): Promise<Figure[]> {
  const { comparisons, reference } = await dearer();
  const logs = reference.flatMap(({ run }) => logRatios(pairsOf(run, COST), METRIC));
  const truth = ratioOf(logs);
  const noise = spread(logs);
  const found = comparisons.map(({ run }) => judged(run, COST));
  const other = found.find((each) => each.metric !== METRIC);
  if (other)
    throw new CommandError(`the scenario ${COST} was judged by ${other.metric}, and not by ${METRIC}.`);
  const hold = found.filter(({ ratio }) => ratio && truth && ratio.low <= truth && truth <= ratio.high);
  return [
    atLeast(
      "ab_said_slower",
      found.filter((each) => each.verdict === "slower").length,
      "of 10 comparisons",
      8,
    ),
    atLeast("ab_intervals_hold_the_true_ratio", truth === null ? null : hold.length, "of 10 intervals", 9),
    fact("ab_comparisons", found.length, "comparisons"),
    fact("ab_blocks", setting.dearer.blocks, "blocks a comparison"),
    fact("ab_true_ratio", truth, ""),
    fact("ab_true_ratio_standard_error", noise === null ? null : (noise / Math.sqrt(logs.length)) * 100, "%"),
    fact("ab_reference_blocks", logs.length, "blocks"),
    fact("ab_spread", noise === null ? null : noise * 100, "%"),
  ];
}
