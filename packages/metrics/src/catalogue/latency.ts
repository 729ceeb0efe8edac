import type { Metric } from "../metric";

const COUNTS =
  "Null where the tool printed none, where n × (1 − q) < 10, or where more than (1 − q) ÷ 10 of the offered requests were dropped, late or failed.";

const percentile = <const Id extends string>(id: Id, title: string, meaning: string) =>
  ({
    id,
    title,
    unit: "us",
    better: "lower",
    aggregation: "median-observed",
    source: "tool",
    meaning: `${meaning} From closed-loop load it describes the load as much as the server and is not ranked.`,
    limits: `${COUNTS} Cannot be set beside the same percentile of another tool: they start and stop their clocks elsewhere.`,
  }) as const satisfies Metric;

export const LATENCY = {
  latency_mean_us: {
    id: "latency_mean_us",
    title: "Mean latency",
    unit: "us",
    better: "lower",
    aggregation: "none",
    source: "tool",
    meaning: "Mean time from request to answer as the tool printed it.",
    limits:
      "Null where the tool prints it in steps coarser than a 20th of itself. Hides the tail; used for the sanity algebra, never for ranking.",
  },
  latency_p50_us: percentile(
    "latency_p50_us",
    "Latency p50",
    "Half of the requests were answered within this time.",
  ),
  latency_p90_us: percentile(
    "latency_p90_us",
    "Latency p90",
    "9 of 10 requests were answered within this time.",
  ),
  latency_p97_5_us: percentile(
    "latency_p97_5_us",
    "Latency p97.5",
    "39 of 40 requests were answered within this time.",
  ),
  latency_p99_us: {
    ...percentile("latency_p99_us", "Latency p99", "99 of 100 requests were answered within this time."),
    meaning:
      "99 of 100 requests were answered within this time. Ranked from fixed-rate load only, and null where too few requests were made to know it.",
  },
  latency_p99_9_us: percentile(
    "latency_p99_9_us",
    "Latency p99.9",
    "999 of 1,000 requests were answered within this time.",
  ),
  first_byte_p50_us: {
    ...percentile("first_byte_p50_us", "Time to the first byte", ""),
    meaning:
      "Half of the requests had the first byte of their response within this time. Of single requests, one after another, so it is not ranked: it says nothing of what a server can do under load.",
  },
  latency_curve_us: {
    id: "latency_curve_us",
    title: "Latency curve",
    unit: "us",
    better: "lower",
    aggregation: "merge-histograms",
    source: "tool",
    meaning:
      "Percentiles up to p99.99 of all valid trials together, from their histograms merged by adding. The x axis counts nines: each step leaves a tenth of the requests.",
    limits:
      "Only for tools that give a histogram: loadgen does, the others show the percentiles that they printed and nothing more. A point is left out where fewer than 10 requests lie beyond it. One slow trial is in it with all its requests, which a median of trials would hide.",
  },
  single_shot_mean_us: {
    id: "single_shot_mean_us",
    title: "Mean latency of a shot",
    unit: "us",
    better: "lower",
    aggregation: "none",
    source: "tool",
    meaning:
      "Of a load given as a count: what its first run said, with the 95 % interval of the mean where the tool keeps samples.",
    limits:
      "Shown because such benchmarks publish it, never ranked: it is one run. The interval is null where the tool keeps no samples, and holds only for independent ones.",
  },
  latency_outliers: {
    id: "latency_outliers",
    title: "Outliers among requests",
    unit: "count",
    better: null,
    aggregation: "none",
    source: "tool",
    meaning: "Requests beyond Tukey's inner fences: 1.5 interquartile ranges outside the quartiles.",
    limits:
      "Null where the tool keeps no samples. Latencies are skewed, so some are always there; they are counted and never removed.",
  },
} as const satisfies Record<string, Metric>;
