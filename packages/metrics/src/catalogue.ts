/** How values of trials become one value of an entry. Percentiles are never averaged; histograms are merged by adding. */
export type Aggregation = "median" | "max" | "sum" | "merge-histograms" | "last";
export type Unit =
  | "per_s"
  | "us"
  | "bytes"
  | "bytes_per_s"
  | "cores"
  | "ratio"
  | "count"
  | "celsius"
  | "hz"
  | "s";

export interface Metric {
  /** As it is called in code and in exports; the unit is in the name. */
  id: string;
  title: string;
  unit: Unit;
  /** Which way is better; null where neither is. */
  better: "higher" | "lower" | null;
  aggregation: Aggregation;
  /** Where the number comes from. */
  source: "tool" | "kernel" | "both";
  /** One or two sentences for a tooltip. */
  meaning: string;
}

export const METRICS = {
  requests_per_s: {
    id: "requests_per_s",
    title: "Throughput",
    unit: "per_s",
    better: "higher",
    aggregation: "median",
    source: "tool",
    meaning:
      "Answered requests a second over the measured window, as the tool counted them. Where the tool was the limit it is a lower bound, written ≥.",
  },
  latency_mean_us: {
    id: "latency_mean_us",
    title: "Mean latency",
    unit: "us",
    better: "lower",
    aggregation: "median",
    source: "tool",
    meaning: "Mean time from request to answer as the tool printed it.",
  },
  latency_p50_us: {
    id: "latency_p50_us",
    title: "Latency p50",
    unit: "us",
    better: "lower",
    aggregation: "median",
    source: "tool",
    meaning:
      "Half of the requests were answered within this time. From closed-loop load it describes the load as much as the server and is not ranked.",
  },
  latency_p99_us: {
    id: "latency_p99_us",
    title: "Latency p99",
    unit: "us",
    better: "lower",
    aggregation: "median",
    source: "tool",
    meaning:
      "99 of 100 requests were answered within this time. Ranked from fixed-rate load only, and null where too few requests were made to know it.",
  },
  server_cpu_us_per_request: {
    id: "server_cpu_us_per_request",
    title: "Server CPU per request",
    unit: "us",
    better: "lower",
    aggregation: "median",
    source: "both",
    meaning:
      "CPU time of the server's process tree divided by requests. Compares servers even where the tool was the limit.",
  },
  server_cpu_cores: {
    id: "server_cpu_cores",
    title: "Server CPU",
    unit: "cores",
    better: null,
    aggregation: "median",
    source: "kernel",
    meaning: "Cores that the server's process tree kept busy.",
  },
  tool_cpu_cores: {
    id: "tool_cpu_cores",
    title: "Tool CPU",
    unit: "cores",
    better: null,
    aggregation: "median",
    source: "kernel",
    meaning: "Cores that the load tool kept busy. At its ceiling the tool is the limit, not the server.",
  },
  server_rss_peak_bytes: {
    id: "server_rss_peak_bytes",
    title: "Server memory",
    unit: "bytes",
    better: "lower",
    aggregation: "max",
    source: "kernel",
    meaning: "Largest resident memory of the server's process tree during load.",
  },
  bytes_per_s: {
    id: "bytes_per_s",
    title: "Bytes per second",
    unit: "bytes_per_s",
    better: "higher",
    aggregation: "median",
    source: "kernel",
    meaning: "Bytes on the loopback of the trial's own network namespace, headers included.",
  },
  bytes_per_response: {
    id: "bytes_per_response",
    title: "Bytes per response",
    unit: "bytes",
    better: null,
    aggregation: "median",
    source: "tool",
    meaning: "Bytes received divided by answers: shorter headers are part of a comparison.",
  },
  failures_ratio: {
    id: "failures_ratio",
    title: "Failed requests",
    unit: "ratio",
    better: "lower",
    aggregation: "max",
    source: "tool",
    meaning: "Failed requests of all kinds divided by requests. More than 0.1 % makes a trial invalid.",
  },
  cv: {
    id: "cv",
    title: "Spread (CV)",
    unit: "ratio",
    better: "lower",
    aggregation: "last",
    source: "tool",
    meaning: "Standard deviation of the trials divided by their mean.",
  },
} as const satisfies Record<string, Metric>;

export type MetricId = keyof typeof METRICS;
