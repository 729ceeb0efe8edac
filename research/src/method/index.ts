import { cpus } from "node:os";
import { atLeast, atMost, attempt, type Figure, fact, unmeasured } from "@rigmark/rig/research";
import { aa, permuted } from "./aa";
import { ab } from "./ab";
import { power } from "./power";
import { putAside } from "./run";
import { setting } from "./setting";
import { apart } from "./spread";

const LONGEST_S = 7200;

interface Part {
  promised: Figure[];
  measure(): Promise<Figure[]>;
}

/** Each part measures what it needs and takes what another one measured before. */
const PARTS: Record<string, Part> = {
  aa: { promised: [atMost("aa_differences", null, "verdicts", 5)], measure: aa },
  permuted: { promised: [atMost("permuted_differences", null, "%", 6)], measure: permuted },
  ab: {
    promised: [
      atLeast("ab_said_slower", null, "of 10 comparisons", 8),
      atLeast("ab_intervals_hold_the_true_ratio", null, "of 10 intervals", 9),
    ],
    measure: ab,
  },
  power: { promised: [fact("power", null, "%")], measure: power },
  spread: { promised: [fact("spread", null, "%")], measure: apart },
};

/** `./rig bench method-ab` and its like. */
export const methodParts: Record<string, () => Promise<Figure[]>> = Object.fromEntries(
  Object.entries(PARTS).map(([name, part]) => [`method-${name}`, () => measured([part])]),
);

/** Whether the method shows differences that are there, and none that are not. */
export async function method(): Promise<Figure[]> {
  const began = performance.now();
  const figures = await measured(Object.values(PARTS));
  // What is missing is measured when the bench is started again, and the rest is not measured twice.
  if (figures.every((figure) => figure.reason === null)) putAside();
  const took = atMost("method_took", (performance.now() - began) / 1000, "s", LONGEST_S);
  return [...figures, setting.short ? { ...took, holds: null } : took];
}

async function measured(parts: Part[]): Promise<Figure[]> {
  if (process.platform !== "linux" || cpus().length < 2)
    return parts.flatMap(({ promised }) =>
      unmeasured(promised, "Needs Linux and two cores, one for the server and one for the tool."),
    );
  const figures: Figure[] = [];
  for (const { promised, measure } of parts) figures.push(...(await attempt(promised, measure)));
  // Goals are for the whole number of comparisons.
  return setting.short ? figures.map((figure) => ({ ...figure, holds: null })) : figures;
}
