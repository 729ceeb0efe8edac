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
      "Answered requests a second over the measured window, as the tool counted them. If the tool was the bottleneck, it is a lower bound, written ≥.",
    limits:
      "Null without a valid trial. Says how fast this server was with this tool, on this host and its loopback. Figures of different tools are never ranked together, and a lower bound says nothing about the distance to another one.",
  },
  knee_rate_per_s: {
    id: "knee_rate_per_s",
    title: "Knee rate",
    unit: "per_s",
    better: "higher",
    aggregation: "median",
    source: "tool",
    meaning:
      "The highest fixed rate at which the p99 stayed within the scenario's bound and the rate was sustained, found by search and then confirmed.",
    limits:
      "Null if the search found none: even the first rate failed, or none held for longer than a step. Known to within the search's last step, about 5 %. If the highest allowed rate held, the knee is above it. Only loadgen searches.",
  },
  rate_over_time_per_s: {
    id: "rate_over_time_per_s",
    title: "Rate over time",
    unit: "per_s",
    better: "higher",
    aggregation: "none",
    source: "tool",
    meaning:
      "Growth of the tool's own count between two of its output lines, divided by the time between them.",
    limits:
      "Null for tools that print no count while they run, for loads given as a count and for slices; charts then show bytes on loopback and say so. Nothing shorter than the tool's own step is resolved.",
  },
  bytes_per_s: {
    id: "bytes_per_s",
    title: "Bytes per second",
    unit: "bytes_per_s",
    better: "higher",
    aggregation: "none",
    source: "kernel",
    meaning:
      "Bytes on the loopback of the trial's own network namespace, including requests, responses and headers.",
    limits: "Null if the trial had no namespace of its own: other programs' bytes would be included.",
  },
  bytes_per_response: {
    id: "bytes_per_response",
    title: "Bytes per response",
    unit: "bytes",
    better: null,
    aggregation: "median",
    source: "tool",
    meaning: "Bytes received divided by responses: shorter headers are part of a comparison.",
    limits:
      "Null if the tool counts no bytes. Some tools count only bodies (`bytes_scope` says which), so figures of two tools are not the same thing.",
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
      "Kinds that a tool does not distinguish are null; their total is not. Only tools that compare bytes notice wrong bytes of the right length; verification before and after the load does too.",
  },
  offered_per_s: {
    id: "offered_per_s",
    title: "Offered rate",
    unit: "per_s",
    better: null,
    aggregation: "none",
    source: "tool",
    meaning: "Requests a second that were scheduled, whether responses arrived or not.",
    limits:
      "Null for closed loops and counts, which offer only as much as is answered. A rate is sustained when at most 0.1 % of it was dropped, late or failed; where CPU time is compared, when at most 1 % went unanswered, or as large a share as the host took.",
  },
} as const satisfies Record<string, Metric>;
