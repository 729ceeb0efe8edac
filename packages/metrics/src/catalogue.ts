import { COMPARISON } from "./catalogue/comparison";
import { COST } from "./catalogue/cost";
import { COUNTERS } from "./catalogue/counters";
import { HOST } from "./catalogue/host";
import { LATENCY } from "./catalogue/latency";
import { THROUGHPUT } from "./catalogue/throughput";
import type { Metric } from "./metric";

export { COUNTERS } from "./catalogue/counters";
export type { Aggregation, Metric, Source, Unit } from "./metric";

/** Every number that is shown or exported. docs/metrics.md is made from it. */
export const METRICS = {
  ...THROUGHPUT,
  ...LATENCY,
  ...COST,
  ...COUNTERS,
  ...COMPARISON,
  ...HOST,
} as const satisfies Record<string, Metric>;

export type MetricId = keyof typeof METRICS;
