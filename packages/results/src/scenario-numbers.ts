import type { NumberName, Scenario } from "@rigmark/protocol";

/**
 * Numbers that a run sets of a scenario, as in `files-1k-ab:connections=200,duration=5s`. The agent has the same rules
 * (`apps/agent/src/scenario/numbers.rs`): one set of numbers has one name. Without schemas, for the browser.
 */
export interface ScenarioNumbers {
  connections?: number;
  duration?: number;
  in_flight?: number;
  rate?: number;
}

/** In the order in which they are written. */
const NAMES = ["connections", "duration", "in_flight", "rate"] as const satisfies readonly NumberName[];

export const NUMBER_RANGES: Record<NumberName, { min: number; max: number }> = {
  connections: { min: 1, max: 10_000 },
  duration: { min: 0.2, max: 3600 },
  in_flight: { min: 1, max: 1000 },
  rate: { min: 1, max: 1_000_000 },
};

/** The scenario's name, without its numbers. */
export const baseOf = (reference: string): string => reference.split(":", 1)[0] ?? reference;

/** Does it set a duration? Then that of the run is not for it. */
export const setsDuration = (reference: string): boolean => /[:,]duration=/.test(reference);

/** Null where it is written in no way that is known. */
export function numbersOf(reference: string): ScenarioNumbers | null {
  const at = reference.indexOf(":");
  if (at < 0) return {};
  const numbers: ScenarioNumbers = {};
  for (const pair of reference.slice(at + 1).split(",")) {
    const [, key, value] = /^([a-z_]+)=(\d+(?:\.\d+)?)s?$/.exec(pair) ?? [];
    const name = NAMES.find((n) => n === key);
    if (!name || numbers[name] !== undefined) return null;
    numbers[name] = Number(value);
  }
  return numbers;
}

const ownOf = (scenario: Scenario): ScenarioNumbers => ({
  connections: scenario.load.connections,
  duration: scenario.duration_s,
  in_flight: scenario.in_flight ?? 1,
  ...(scenario.load.kind === "rate" && { rate: scenario.load.rate_per_s }),
});

/** The one name of a scenario with these numbers: only those that are not its own. */
export function referenceOf(scenario: Scenario, numbers: ScenarioNumbers): string {
  const own = ownOf(scenario);
  const set = NAMES.flatMap((name) =>
    numbers[name] === undefined || numbers[name] === own[name]
      ? []
      : [`${name}=${numbers[name]}${name === "duration" ? "s" : ""}`],
  );
  return set.length === 0 ? scenario.id : `${scenario.id}:${set.join(",")}`;
}

/** The scenario with its numbers, as far as the plan of a run needs it: its title is the agent's business. */
export function withNumbers(scenario: Scenario, numbers: ScenarioNumbers): Scenario {
  const load = { ...scenario.load, connections: numbers.connections ?? scenario.load.connections };
  if (load.kind === "rate" && numbers.rate !== undefined) load.rate_per_s = numbers.rate;
  return {
    ...scenario,
    id: referenceOf(scenario, numbers),
    load,
    duration_s: numbers.duration ?? scenario.duration_s,
    ...(numbers.in_flight !== undefined && { in_flight: numbers.in_flight }),
  };
}
