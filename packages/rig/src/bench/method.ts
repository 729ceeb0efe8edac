import { cpus } from "node:os";
import { say } from "../say";
import { atLeast, atMost, type Figure } from "./figure";
import { aa, permuted } from "./method-aa";
import { ab } from "./method-ab";
import { power } from "./method-power";
import { putAside } from "./method-run";
import { setting } from "./method-setting";
import { apart } from "./method-spread";

const LONGEST_S = 7200;

/** Each part measures what it needs and takes what another one measured before. */
const PARTS: Record<string, () => Promise<Figure[]>> = { aa, permuted, ab, power, spread: apart };

/** `./rig bench method-ab` and its like. */
export const methodParts: Record<string, () => Promise<Figure[]>> = Object.fromEntries(
  Object.entries(PARTS).map(([name, part]) => [`method-${name}`, () => measured([part])]),
);

/** Whether the method shows differences that are there, and none that are not. */
export async function method(): Promise<Figure[]> {
  const began = performance.now();
  const figures = await measured(Object.values(PARTS));
  if (figures !== unmeasured) putAside();
  const took = atMost("method_took", (performance.now() - began) / 1000, "s", LONGEST_S);
  return [...figures, setting.short ? { ...took, holds: null } : took];
}

const unmeasured: Figure[] = [
  atMost("aa_differences", null, "verdicts", 5),
  atMost("permuted_differences", null, "%", 6),
  atLeast("ab_said_slower", null, "of 10 comparisons", 8),
  atLeast("ab_intervals_hold_the_true_ratio", null, "of 10 intervals", 9),
];

async function measured(parts: (() => Promise<Figure[]>)[]): Promise<Figure[]> {
  if (process.platform !== "linux" || cpus().length < 2) {
    say("method: needs Linux and two cores, one for the server and one for the tool");
    return unmeasured;
  }
  const figures: Figure[] = [];
  for (const part of parts) figures.push(...(await part()));
  // Goals are for the whole number of comparisons.
  return setting.short ? figures.map((figure) => ({ ...figure, holds: null })) : figures;
}
