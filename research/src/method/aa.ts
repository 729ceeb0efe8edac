import { atMost, type Figure, fact } from "@rigmark/rig/research";
import { isDifference, judged } from "./record";
import { compare, type Kept } from "./run";
import { drawing, logRatios, type Pair, pairsOf, spread, swapped, verdictOf } from "./sets";
import { setting } from "./setting";

export const THROUGHPUT = "plaintext-loadgen";
/** One core of the tool keeps a server's core busy only when a request costs the server more than the tool. */
export const BUSY = 1000;

/** The same server under two labels, so often. */
export async function alike(): Promise<Kept[]> {
  const all: Kept[] = [];
  for (let at = 0; at < setting.comparisons; at += 1)
    all.push(
      await compare({
        name: `aa-${String(at + 1).padStart(2, "0")}`,
        extra: [BUSY, BUSY],
        scenarios: [THROUGHPUT],
        blocks: setting.blocks,
        seed: at,
      }),
    );
  return all;
}

/** An A/A test: how often a difference is shown that is not there. */
export async function aa(): Promise<Figure[]> {
  const all = await alike();
  const verdicts = all.map(({ run }) => judged(run, THROUGHPUT).verdict);
  const compared = verdicts.filter((verdict) => isDifference(verdict) || verdict === "no-difference");
  const noise = spread(all.flatMap(({ run }) => logRatios(pairsOf(run, THROUGHPUT), "requests_per_s")));
  return [
    atMost("aa_differences", verdicts.filter(isDifference).length, "verdicts", 5),
    fact("aa_comparisons", compared.length, "comparisons"),
    fact("aa_without_a_verdict", verdicts.length - compared.length, "comparisons"),
    fact("aa_blocks", setting.blocks, "blocks a comparison"),
    atMost("aa_longest_comparison", Math.max(...all.map((each) => each.elapsed_s)), "s", 75),
    fact("aa_spread", noise === null ? null : noise * 100, "%"),
  ];
}

/** The recorded blocks with a and b changed at random: whatever the noise is like, there is no difference in them. */
export async function permuted(): Promise<Figure[]> {
  const all = await alike();
  const draw = drawing();
  const [of] = all[0]?.run.plan.scenarios ?? [];
  let [differences, sets] = [0, 0];
  if (of)
    for (let at = 0; at < setting.sets; at += 1) {
      const recorded = all[at % all.length];
      const set = recorded ? pairsOf(recorded.run, THROUGHPUT).map((pair) => flip(pair, draw)) : [];
      const { verdict } = verdictOf(set, of);
      if (verdict === null || verdict === "not-comparable") continue;
      sets += 1;
      differences += isDifference(verdict) ? 1 : 0;
    }
  return [
    atMost("permuted_differences", sets > 0 ? (differences / sets) * 100 : null, "%", 6),
    fact("permuted_sets", sets, "sets"),
  ];
}

export const flip = (pair: Pair, draw: () => number): Pair => (draw() < 0.5 ? swapped(pair) : pair);
