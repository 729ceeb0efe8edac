import type { Environment } from "@rigmark/protocol";
import { type Difference, differences } from "./differences";

/**
 * Runs beside each other: what each is called, and whether two of them were measured alike. A file of its own, without
 * schemas: pages use it in code that must not carry zod.
 */

/** Of one report. */
export const MOST_RUNS = 8;

/** Titles of runs may be equal; places are not. */
export const runName = (place: number): string => `run ${place + 1}`;
const capital = (text: string): string => text.replace(/^./u, (first) => first.toUpperCase());

export interface Measured {
  /** As it stands inside a sentence. */
  name: string;
  environment: Environment | null;
}
export interface Comparison {
  comparable: boolean;
  /** Without what differs; with the number of it. */
  sentence: string;
  differences: Difference[];
}

/** Whether two runs were measured in the same environment, and what is not the same where they were not. */
export function compareEnvironments(a: Measured, b: Measured): Comparison {
  if (!a.environment || !b.environment) {
    const unknown = [a, b].filter((run) => !run.environment).map((run) => run.name);
    return {
      comparable: false,
      sentence: `${capital(a.name)} and ${b.name} are not comparable: the environment of ${unknown.join(" and of ")} is not known.`,
      differences: [],
    };
  }
  const found = differences(a.environment, b.environment);
  if (found.length === 0)
    return {
      comparable: true,
      sentence: `${capital(a.name)} and ${b.name} were measured in the same environment.`,
      differences: [],
    };
  return {
    comparable: false,
    sentence: `${capital(a.name)} and ${b.name} are not comparable: their environments differ in ${found.length} ${found.length === 1 ? "thing" : "things"} that must be the same.`,
    differences: found,
  };
}
