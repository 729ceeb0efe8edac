import { cpus } from "node:os";
import { atLeast, atMost, type Figure, fact, unmeasured } from "@rigmark/rig/research";
import { changes } from "@rigmark/stats";
import { BUSY, THROUGHPUT } from "../method/aa";
import { judged } from "../method/record";
import { compare } from "../method/run";
import { drawing, some, spread } from "../method/sets";
import { setting } from "../method/setting";

/** A history as long as that of a nightly run after seven weeks. */
const RUNS = 50;
const BLOCKS = 5;
/** About 4 % have an alarm by what the method promises: of 200 only, chance alone would show more than 5 % now and then. */
const HISTORIES = 2000;
const STEP = 1.05;
/** Where the step is, and by when it has to be found. */
const STEP_AT = 25;
const WITHIN = 5;
const METRIC = "requests_per_s";

/** The same server beside itself in many runs: does its history show a change that is not there, and one that is? */
export async function changePoints(): Promise<Figure[]> {
  const promised = [
    atMost("history_with_an_alarm", null, "% of the histories", 5),
    atLeast("history_steps_found", null, "% of the histories", 90),
  ];
  if (process.platform !== "linux" || cpus().length < 2)
    return unmeasured(promised, "Needs Linux and two cores, one for the server and one for the tool.");
  const values = await recorded();
  const draw = drawing();
  let [alarms, found] = [0, 0];
  for (let at = 0; at < HISTORIES; at += 1) {
    const history = some(values, values.length, draw);
    if (changesOf(history).length > 0) alarms += 1;
    const stepped = history.map((value, place) => (place < STEP_AT ? value : value * STEP));
    const [step] = changesOf(stepped).filter(({ found_at }) => found_at >= STEP_AT);
    if (step && step.found_at < STEP_AT + WITHIN) found += 1;
  }
  const noise = spread(values.map(Math.log));
  return [
    atMost("history_with_an_alarm", (alarms / HISTORIES) * 100, "% of the histories", 5),
    atLeast("history_steps_found", (found / HISTORIES) * 100, "% of the histories", 90),
    fact("history_runs", values.length, "runs"),
    fact("history_spread", noise === null ? null : noise * 100, "%"),
  ].map((figure) => (setting.short ? { ...figure, holds: null } : figure));
}

/** Of each run what its history has: its own ratio to the baseline, near 1, of two labels of one server. */
async function recorded(): Promise<number[]> {
  const ratios: (number | null)[] = [];
  for (let at = 0; at < (setting.short ? 2 : RUNS); at += 1) {
    const { run } = await compare({
      name: `history-${String(at + 1).padStart(2, "0")}`,
      extra: [BUSY, BUSY],
      scenarios: [THROUGHPUT],
      blocks: BLOCKS,
      seed: 6000 + at,
    });
    ratios.push(judged(run, THROUGHPUT).ratio?.estimate ?? null);
  }
  return ratios.filter((ratio) => ratio !== null);
}

const changesOf = (values: readonly number[]) =>
  changes({
    schema: 1,
    metric: METRIC,
    relative_to: "a",
    points: values.map((value) => ({ figure: value, relative: 1, environment: null })),
  }).changes;
