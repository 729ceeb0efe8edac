import type { LogView, RunLight, RunView, TrialSeries, TrialView } from "./run";

/**
 * What happened to a run. `run.watch` yields lists of these, each with the id `<attempt_no>:<journal seq>` up to which they
 * come; a reconnect continues behind the last one.
 */
export type WatchEvent =
  /** Whole at the start of a stream, then only the fields that changed. */
  | { kind: "run"; run: Partial<RunLight> }
  /** Trials that changed; the others stay as they are. */
  | { kind: "trials"; trials: TrialView[] }
  /** Once reported, and again where it is another: null when a new attempt has not reported its own. */
  | { kind: "environment"; environment: RunView["environment"] }
  /** New points of one trial, to be appended. */
  | ({ kind: "points" } & Pick<TrialSeries, "trial_id" | "entry_key" | "points">)
  | { kind: "logs"; lines: LogView[] }
  /** Nothing happened for some seconds, and the stream is open. */
  | { kind: "unchanged" };
