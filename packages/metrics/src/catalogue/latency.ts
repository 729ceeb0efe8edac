import type { Metric } from "../metric";

const COUNTS =
  "Null if the tool printed none, if n × (1 − q) < 10, or if more than (1 − q) ÷ 10 of the offered requests were dropped, late or failed.";

const percentile = <const Id extends string>(id: Id, title: string, meaning: string) =>
  ({
    id,
    title,
    unit: "us",
    better: "lower",
    aggregation: "median-observed",
    source: "tool",
    meaning: `${meaning} From closed-loop load it describes the load as much as the server and is not ranked.`,
    limits: `${COUNTS} Not comparable with the same percentile of another tool: tools start and stop their clocks at different moments.`,
  }) as const satisfies Metric;

export const LATENCY = {
  latency_mean_us: {
    id: "latency_mean_us",
    title: "Mean latency",
    unit: "us",
    better: "lower",
    aggregation: "none",
    source: "tool",
    meaning: "Mean time from request to response, as the tool printed it.",
    limits:
      "Null if the tool prints it in steps coarser than a 20th of its value. Hides the tail; used for the consistency checks, never for ranking.",
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
      "99 of 100 requests were answered within this time. Ranked only from fixed-rate load, and null if there were too few requests to know it.",
  },
  latency_p99_9_us: percentile(
    "latency_p99_9_us",
    "Latency p99.9",
    "999 of 1,000 requests were answered within this time.",
  ),
  first_byte_p50_us: {
    ...percentile("first_byte_p50_us", "Time to the first byte", ""),
    meaning:
      "Half of the requests had the first byte of their response within this time. Measured on single requests, one after another, so it is not ranked: it says nothing about a server under load.",
  },
  latency_curve_us: {
    id: "latency_curve_us",
    title: "Latency curve",
    unit: "us",
    better: "lower",
    aggregation: "merge-histograms",
    source: "tool",
    meaning:
      "Percentiles up to p99.99 of all valid trials together, from their merged histograms. The x axis counts nines: each step leaves a tenth of the requests.",
    limits:
      "Only for tools that give a histogram: loadgen and wrk do; the others show only the percentiles that they printed. A point is left out if fewer than 10 requests lie beyond it, or if so many requests were dropped, late or failed that they could move it. A slow trial is included with all its requests; a median of trials would hide it.",
  },
  latency_over_time_us: {
    id: "latency_over_time_us",
    title: "Latency over time",
    unit: "us",
    better: "lower",
    aggregation: "none",
    source: "tool",
    meaning:
      "A heat map of the responses of each valid trial: time to the right, latency upwards in bands of a quarter of a power of two. The color of a cell is as strong as its share of the column's responses.",
    limits:
      "Only for tools that give a histogram. loadgen counts second by second; with wrk a column is a whole run of the tool, and has the latencies that wrk added. If there are many columns, neighbors are added.",
  },
  single_shot_mean_us: {
    id: "single_shot_mean_us",
    title: "Mean latency of a tool run",
    unit: "us",
    better: "lower",
    aggregation: "none",
    source: "tool",
    meaning:
      "For a load given as a count: the mean of its first tool run, with a 95 % interval if the tool keeps samples.",
    limits:
      "Shown because such benchmarks publish it, never ranked: it is one run. The interval is null if the tool keeps no samples, and holds only for independent ones.",
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
      "Null if the tool keeps no samples. Latencies are skewed, so there are always some; they are counted and never removed.",
  },
} as const satisfies Record<string, Metric>;
