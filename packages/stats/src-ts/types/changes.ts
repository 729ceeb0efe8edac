/** What `changes` takes and gives. */
import type { Metric } from "./common";

/** One series over time: an entry under a scenario on a host, a run each, oldest first. */
export type ChangesInput = {
  schema: 1;
  metric: Metric;
  /** Label of the entry that the figures are divided by; null for the figures themselves. */
  relative_to: string | null;
  points: readonly {
    /** Median of the metric in its unit; null where the run has none that counts. */
    figure: number | null;
    /** The same of the entry `relative_to` in the same run. */
    relative: number | null;
    /** Fingerprint of the environment. */
    environment: string | null;
  }[];
};

export type Change = {
  /** Place of the first point after the change, and of the one that showed it. */
  at: number;
  found_at: number;
  values_before: number;
  values_after: number;
  /** Medians of the figures, or of the ratios. */
  before: number;
  after: number;
  /** after ÷ before */
  ratio: number;
  verdict: "faster" | "slower";
  environment_changed: boolean;
  sentence: string;
  sentence_zh: string;
};

export type Changes = {
  schema: 1;
  /** By point: the figure, or the ratio. */
  values: (number | null)[];
  changes: Change[];
  /** How many values there must be before a change can be found. */
  least_values: number;
  sentence: string;
  sentence_zh: string;
};
