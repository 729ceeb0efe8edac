import { COMPARISON } from "./catalogue/comparison";
import { COST } from "./catalogue/cost";
import { COUNTERS } from "./catalogue/counters";
import { HOST } from "./catalogue/host";
import { LATENCY } from "./catalogue/latency";
import { THROUGHPUT } from "./catalogue/throughput";
import type { Aggregation, Metric, Source, Unit } from "./metric";

const INTRO = `# Metrics

Every number that Rigmark shows or exports: its unit, where it comes from, how the values of trials become one, and what it cannot
tell. This page is made from \`packages/metrics\`; a test keeps both the same. How they are measured is in [method.md](method.md).

- **Unknown is null**, written \`–\` on pages and left empty in CSV: never a neighboring metric, never −1, never 0.
- **\`≥\`** before a rate, and before what is computed from a rate: the tool was the limit in half of the trials or more, so the
  server can do at least this much; for the same reason **\`≤\`** before a latency at a fixed rate. In CSV it is the column \`bound\`,
  in JSON \`lower_bound\`. Bars have an open end. A ratio is a mean over blocks, so one block of which the tool was the limit makes a
  bound of it: its interval is written with an open end (\`1.010× – …\`), and *too wide* where its ends are a factor of more than
  100 apart. Several entries that met the same ceiling are said to have a *shared ceiling* (\`shared_ceiling\`): what differs
  there is noise or the tool, not the servers.
- A ratio to the baseline has three decimals, and up to six where fewer would write 1 for what is not; below 0.01 and from 10 on
  it has three significant digits.
- Names in code and exports hold the unit: \`_per_s\`, \`_us\` (microseconds), \`_uj\` (microjoules), \`_bytes\`, \`_ratio\` (0.05 is 5 %).
  A suffix says which of several values it is: \`_median\`, \`_min\`, \`_max\` over the valid trials of an entry.
`;

const UNITS: Record<Unit, string> = {
  per_s: "requests a second",
  per_s_per_core: "requests a second and core",
  per_s_per_mib: "requests a second and MiB",
  us: "µs",
  uj: "µJ",
  bytes: "bytes",
  bytes_per_s: "bytes a second",
  cores: "cores",
  ratio: "ratio, shown in %",
  factor: "factor",
  number: "number",
  count: "count",
  celsius: "°C",
  hz: "Hz",
  s: "s",
};
const SOURCES: Record<Source, string> = {
  tool: "load tool",
  kernel: "kernel and sensors",
  both: "load tool and kernel",
  stats: "`packages/stats`, from the trials",
};
const AGGREGATIONS: Record<Aggregation, string> = {
  median: "median of valid trials, with least and greatest",
  "median-observed":
    "median of valid trials; of an even number the lower of the two in the middle, so one that a trial had",
  max: "greatest of valid trials",
  sum: "sum",
  "merge-histograms": "histograms of valid trials, added",
  "geometric-mean": "geometric mean over blocks, 95 % interval",
  "over-trials": "computed over all valid trials",
  none: "not aggregated: shown for each trial or moment",
};
const BETTER = { higher: "more is better", lower: "less is better" } as const;

function section({ id, title, unit, better, source, aggregation, meaning, limits }: Metric): string {
  return [
    `### ${title}`,
    "",
    meaning,
    "",
    `- \`${id}\`, ${UNITS[unit]}${better ? `; ${BETTER[better]}` : ""}`,
    `- Source: ${SOURCES[source]}`,
    `- Over trials: ${AGGREGATIONS[aggregation]}`,
    `- Limits: ${limits}`,
  ].join("\n");
}

const chapter = (title: string, metrics: Record<string, Metric>): string =>
  [`## ${title}`, ...Object.values(metrics).map(section)].join("\n\n");

/** The whole of docs/metrics.md. */
export const metricsDocument = (): string =>
  `${[
    INTRO,
    chapter("Throughput", THROUGHPUT),
    chapter("Latency", LATENCY),
    chapter("Cost and efficiency", COST),
    chapter("Counters of the server", COUNTERS),
    chapter("Comparison", COMPARISON),
    chapter("The host", HOST),
  ].join("\n")}\n`.replace(/\n{3,}/g, "\n\n");
