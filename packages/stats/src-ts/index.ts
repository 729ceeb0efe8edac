/** What the numbers of a run mean, from the same code as the agent's. INTERFACE.md states what goes in and comes out. */
import { answer } from "./module";
import type { Summary, SummaryInput } from "./types";

export type * from "./types";

/** The input does not fit INTERFACE.md or contradicts itself; the message says how. */
export class StatsError extends Error {
  override readonly name = "StatsError";
}

/**
 * Says what the trials of a run mean: spreads, ratios with their intervals, ranks, verdicts, sentences.
 *
 * @throws {StatsError} when an entry, scenario or trial is there twice or is named and not there, or when the
 * computation itself fails (out of memory). Odd numbers (NaN, 0, negative) are no errors, they count as unknown.
 */
export function summarise(input: SummaryInput): Summary {
  let answered: Summary | { error: string };
  try {
    answered = JSON.parse(answer(JSON.stringify(input)));
  } catch (cause) {
    throw new StatsError("the statistics failed inside", { cause });
  }
  if ("error" in answered) {
    throw new StatsError(answered.error);
  }
  return answered;
}
