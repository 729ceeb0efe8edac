/** How values of trials become one value of an entry. Percentiles are never averaged; histograms are merged by adding. */
export type Aggregation =
  | "median"
  | "median-observed"
  | "max"
  | "sum"
  | "merge-histograms"
  | "geometric-mean"
  | "over-trials"
  | "none";

export type Unit =
  | "per_s"
  | "per_s_per_core"
  | "per_s_per_mib"
  | "us"
  | "uj"
  | "bytes"
  | "bytes_per_s"
  | "cores"
  | "ratio"
  | "factor"
  | "number"
  | "count"
  | "celsius"
  | "hz"
  | "s";

/** Who said the number: the load tool, the host's kernel or sensors, both together, or packages/stats from the trials. */
export type Source = "tool" | "kernel" | "both" | "stats";

export interface Metric {
  /** As it is called in code and in exports; the unit is in the name. */
  id: string;
  title: string;
  unit: Unit;
  /** Which way is better; null where neither is. */
  better: "higher" | "lower" | null;
  aggregation: Aggregation;
  source: Source;
  /** One or two sentences for a tooltip. */
  meaning: string;
  /** When it is null, and what it cannot tell. For docs/metrics.md. */
  limits: string;
}
