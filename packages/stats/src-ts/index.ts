/** What the numbers of a run mean, from the same code as the agent's. INTERFACE.md says what holds for it. */
import { callModule, type ModuleFunction } from "./module";
import type {
  BetweenRuns,
  BetweenRunsInput,
  Changes,
  ChangesInput,
  Curve,
  CurveInput,
  Overall,
  OverallInput,
  Summary,
  SummaryInput,
} from "./types";

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
export function summarize(input: SummaryInput): Summary {
  return compute("summarize", input);
}

/**
 * The percentile curve of the latency histograms of an entry's trials (`Histogram.blob` of the journal), which are added.
 * Bad blobs are no errors: then `points` is empty and `note` says why.
 *
 * @throws {StatsError} when the computation itself fails (out of memory).
 */
export function curve(input: CurveInput): Curve {
  return compute("curve", input);
}

/**
 * What entries did in one run against another run on the same host, with the variation between runs from its history.
 *
 * @throws {StatsError} when the computation itself fails (out of memory).
 */
export function betweenRuns(input: BetweenRunsInput): BetweenRuns {
  return compute("between_runs", input);
}

/**
 * Since which run a figure is another one: the change points of a history.
 *
 * @throws {StatsError} when the computation itself fails (out of memory).
 */
export function changes(input: ChangesInput): Changes {
  return compute("changes", input);
}

/**
 * How entries do under several loads together: geometric means of their ratios to one baseline.
 *
 * @throws {StatsError} when the computation itself fails (out of memory).
 */
export function overall(input: OverallInput): Overall {
  return compute("overall", input);
}

function compute<Output extends object>(name: ModuleFunction, input: unknown): Output {
  let output: Output | { error: string };
  try {
    output = JSON.parse(callModule(JSON.stringify(input), name));
  } catch (cause) {
    throw new StatsError("the statistics failed inside", { cause });
  }
  if ("error" in output) {
    throw new StatsError(output.error);
  }
  return output;
}
