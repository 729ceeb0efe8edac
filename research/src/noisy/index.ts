import { cpus } from "node:os";
import { atLeast, atMost, type Figure, fact, say } from "@rigmark/rig/research";
import { BUSY, THROUGHPUT } from "../method/aa";
import { about5Percent, COST } from "../method/ab";
import { isDifference, judged } from "../method/record";
import { compare, type Kept } from "../method/run";
import { logRatios, pairsOf, spread } from "../method/sets";
import { setting } from "../method/setting";
import { type Disturbance, disturbed } from "./disturb";

/** The largest share of the processors that is taken: what the busiest virtual machines lose. */
const MOST_TAKEN = 0.4;
/** As many blocks as a run has by default. */
const BLOCKS = 5;
/**
 * With 2 cores and bursts on both a block's log-ratio of CPU time scatters by 7 to 16 %. So many show 5 % in nine cases of
 * ten, and are 160 s of load for each entry: less than the 200 s of a run of default length with `--precision`.
 */
const MOST_BLOCKS = 100;

/** Quiet, steadily busy, and as restless as it gets; each comparison has its own, and every second one counts as steal. */
function weather(at: number): Disturbance {
  const ways: [number, number][] = [
    [0, 0],
    [0.1, 0.1],
    [0, MOST_TAKEN],
    [0.25, 0.25],
    [MOST_TAKEN, MOST_TAKEN],
  ];
  const share = ways[at % ways.length] ?? [0, MOST_TAKEN];
  return { share, seed: 1000 + at, asSteal: at % 2 === 1 };
}

/** Does a host that is never quiet get verdicts, and are they right? */
export async function noisy(): Promise<Figure[]> {
  if (process.platform !== "linux" || cpus().length < 2) {
    say("noisy: needs Linux and two cores, one for the server and one for the tool");
    return figures([], [], []);
  }
  const taken: number[] = [];
  const beside = async (at: number, run: Parameters<typeof compare>[0]): Promise<Kept> => {
    const done = await disturbed(weather(at), (env) => compare({ ...run, env }));
    taken.push(done.share);
    return done.result;
  };
  const alike: Kept[] = [];
  for (let at = 0; at < setting.comparisons; at += 1)
    alike.push(
      await beside(at, {
        name: `noisy-aa-${String(at + 1).padStart(2, "0")}`,
        extra: [BUSY, BUSY],
        scenarios: [THROUGHPUT],
        blocks: BLOCKS,
        seed: 4000 + at,
      }),
    );
  const dearer: Kept[] = [];
  const extra = await about5Percent();
  for (let at = 0; at < setting.dearer.comparisons; at += 1)
    dearer.push(
      await beside(at, {
        name: `noisy-ab-${String(at + 1).padStart(2, "0")}`,
        extra: [0, extra],
        scenarios: [COST],
        blocks: BLOCKS,
        upTo: setting.short ? BLOCKS : MOST_BLOCKS,
        seed: 5000 + at,
      }),
    );
  const all = figures(alike, dearer, taken);
  return setting.short ? all.map((figure) => ({ ...figure, holds: null })) : all;
}

function figures(alike: Kept[], dearer: Kept[], taken: number[]): Figure[] {
  const verdicts = alike.map(({ run }) => judged(run, THROUGHPUT).verdict);
  const decided = verdicts.filter((v) => isDifference(v) || v === "no-difference");
  const slower = dearer.filter(({ run }) => judged(run, COST).verdict === "slower");
  const noise = spread(alike.flatMap(({ run }) => logRatios(pairsOf(run, THROUGHPUT), "requests_per_s")));
  const of = (part: number, whole: number): number | null => (whole === 0 ? null : (part / whole) * 100);
  const none = alike.length === 0;
  const disturbedTrials = alike.flatMap(({ run }) => run.trials).filter((t) => t.status === "invalid");
  return [
    atMost("noisy_aa_false_verdicts", none ? null : verdicts.filter(isDifference).length, "verdicts", 5),
    atLeast("noisy_aa_with_a_verdict", of(decided.length, alike.length), "% of the runs", 90),
    atLeast("noisy_ab_said_slower", dearer.length === 0 ? null : slower.length, "of 10 comparisons", 8),
    fact("noisy_aa_comparisons", alike.length, "comparisons"),
    fact("noisy_aa_spread", noise === null ? null : noise * 100, "%"),
    fact("noisy_aa_trials_not_counted", disturbedTrials.length, "trials"),
    fact("noisy_taken_at_most", taken.length === 0 ? null : Math.max(...taken) * 100, "% of the cores' time"),
  ];
}
