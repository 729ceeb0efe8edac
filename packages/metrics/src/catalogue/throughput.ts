import type { Metric } from "../metric";

export const THROUGHPUT = {
  requests_per_s: {
    id: "requests_per_s",
    title: "Throughput",
    unit: "per_s",
    better: "higher",
    aggregation: "median",
    source: "tool",
    meaning:
      "Answered requests a second over the measured window, as the tool counted them. Where the tool was the limit it is a lower bound, written ≥.",
    limits:
      "Null without a valid trial. Says how fast this server was with this tool, on this host and its loopback: figures of different tools are never ranked together, and a lower bound tells nothing about the distance to another one.",
  },
  knee_rate_per_s: {
    id: "knee_rate_per_s",
    title: "Knee rate",
    unit: "per_s",
    better: "higher",
    aggregation: "median",
    source: "tool",
    meaning:
      "The highest fixed rate at which the p99 stayed within the scenario's bound and the rate was sustained, found by search and confirmed once more.",
    limits:
      "Null where even the first rate of the search failed. Known within the search's last step, about 5 %; where the highest rate that was asked for held, the knee is above it. Only loadgen searches.",
  },
  rate_over_time_per_s: {
    id: "rate_over_time_per_s",
    title: "Rate over time",
    unit: "per_s",
    better: "higher",
    aggregation: "none",
    source: "tool",
    meaning: "Growth of the tool's own count between two of its prints, divided by the time between them.",
    limits:
      "Null for tools that print no count while they run, for loads given as a count and for slices; then bytes on loopback are drawn, and named so. Seconds shorter than the tool's own step are not resolved.",
  },
  bytes_per_s: {
    id: "bytes_per_s",
    title: "Bytes per second",
    unit: "bytes_per_s",
    better: "higher",
    aggregation: "none",
    source: "kernel",
    meaning:
      "Bytes on the loopback of the trial's own network namespace, requests, answers and headers included.",
    limits: "Null where the trial had no namespace of its own: other programs' bytes would be in it.",
  },
  bytes_per_response: {
    id: "bytes_per_response",
    title: "Bytes per response",
    unit: "bytes",
    better: null,
    aggregation: "median",
    source: "tool",
    meaning: "Bytes received divided by answers: shorter headers are part of a comparison.",
    limits:
      "Null where the tool counts no bytes. Some tools count bodies alone (`bytes_scope` says which), so figures of two tools are not the same thing.",
  },
  failures_ratio: {
    id: "failures_ratio",
    title: "Failed requests",
    unit: "ratio",
    better: "lower",
    aggregation: "none",
    source: "tool",
    meaning:
      "Failed requests of all kinds, each counted once. More than 0.1 % of the requests make a trial invalid.",
    limits:
      "Kinds that a tool does not tell apart are null, their total is not. Wrong bytes of the right length are seen only by tools that compare them; verification before and after does.",
  },
  offered_per_s: {
    id: "offered_per_s",
    title: "Offered rate",
    unit: "per_s",
    better: null,
    aggregation: "none",
    source: "tool",
    meaning: "Requests a second that were meant to be sent, whether responses arrived or not.",
    limits:
      "Null for closed loops and counts, which offer as much as is answered. A rate is sustained when at most 0.1 % of it was dropped, late or failed.",
  },
} as const satisfies Record<string, Metric>;
