/** What `betweenRuns` takes and gives. */
import type { Metric, Ratio, Verdict } from "./common";

/** Entries in two runs on one host, and what its other runs say about the variation between runs. */
export type BetweenRunsInput = {
  schema: 1;
  pairs: readonly {
    key: string;
    scenario: string;
    /** As `history` calls it. */
    host: string;
    metric: Metric;
    /** Medians of the metric in its unit; the ratio is b ÷ a. */
    a: number | null;
    b: number | null;
    /** The tool was the bottleneck of one of them. */
    bound: boolean;
    same_environment: boolean;
  }[];
  /** Medians of one entry under one scenario, a run each: the same build, host and environment. */
  history: readonly { scenario: string; host: string; medians: number[] }[];
};

export type NoVerdictBetween =
  | "not-ranked"
  | "no-figure"
  | "tool-limit"
  | "environment-differs"
  | "too-little-history";

export type PairSummary = {
  key: string;
  /** null where one is unknown or a bound. */
  ratio_of_medians: number | null;
  /** With the variation between runs in its interval; null without a verdict. */
  ratio: Ratio | null;
  verdict: Verdict | null;
  code: NoVerdictBetween | null;
  /** Runs that the interval rests on; without a verdict the most that one build has. */
  history_runs: number;
  /** Why there is no verdict, and what to do; null with one. */
  reason: string | null;
  reason_zh: string | null;
  sentence: string;
  sentence_zh: string;
};

export type BetweenRuns = { schema: 1; pairs: PairSummary[] };
