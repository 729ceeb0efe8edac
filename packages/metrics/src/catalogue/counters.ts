import type { Metric } from "../metric";

/**
 * Counters of the server's processes that the agent sends by name (`resources.counters` of a trial). The table of trials has a
 * column for each. The next one: an entry here, and its source in `apps/agent/src/sample/linux/counters.rs`.
 */
export const COUNTERS = {
  server_context_switches: {
    id: "server_context_switches",
    title: "Context switches",
    unit: "count",
    better: null,
    aggregation: "none",
    source: "kernel",
    meaning:
      "How often a thread of the server stopped running during load: it had nothing to do, or its core was taken away.",
    limits:
      "Null if the kernel's counters could not be read, if a process of the server has more than 256 threads, or if one left the server's process tree. A thread that started and ended between two samples is not included.",
  },
  server_involuntary_context_switches: {
    id: "server_involuntary_context_switches",
    title: "Involuntary switches",
    unit: "count",
    better: null,
    aggregation: "none",
    source: "kernel",
    meaning:
      "How often a thread of the server still had work when its core was given to another thread. High numbers mean that the server shares its cores.",
    limits:
      "As for context switches, of which these are a part. Null on macOS, which does not count them separately.",
  },
} as const satisfies Record<string, Metric>;
