import { COMPARISON } from "./catalogue/comparison";
import { COST } from "./catalogue/cost";
import { COUNTERS } from "./catalogue/counters";
import { HOST } from "./catalogue/host";
import { LATENCY } from "./catalogue/latency";
import { THROUGHPUT } from "./catalogue/throughput";
import type { Aggregation, Metric, Source, Unit } from "./metric";

const INTRO = `# Metrics

Every number that Rigmark shows or exports: its unit, its source, how the values of trials become one, and its limits. This page is
generated from \`packages/metrics\`. [method.md](method.md) says how the numbers are measured.

- **Unknown is null**, written \`–\` on pages and left empty in CSV: never a neighboring metric, never −1, never 0.
- **\`≥\`** before a rate, or before a figure computed from a rate, means that the tool was the bottleneck in at least half of the
  trials: the server can do at least this much. **\`≤\`** before a latency at a fixed rate means the same. In the CSV of a page it is the
  column \`bound\`, in that of \`rigmark report\` \`lower_bound\`, in JSON \`lower_bound\` and \`latency_bound\`. Bars have an open
  end. A ratio is a mean over blocks, so one block with the tool as the bottleneck makes it a bound: its interval has an open end
  (\`1.010× – …\`), and is *too wide* if its ends are a factor of more than 100 apart. Several entries at the same ceiling have a
  *shared ceiling* (\`shared_ceiling\`): what differs there is noise or the tool, not the servers.
- In tables a ratio to the baseline has three decimals, or up to six if fewer would round it to 1; below 0.01 and from 10 on it
  has three significant digits. In sentences it has three significant digits, or up to six.
- Names in code and exports contain the unit: \`_per_s\`, \`_us\` (microseconds), \`_uj\` (microjoules), \`_bytes\`, \`_ratio\` (0.05 is 5 %).
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
  median: "median of valid trials, with minimum and maximum",
  "median-observed":
    "median of valid trials; for an even number the lower of the two middle ones, a value that one trial had",
  max: "maximum of valid trials",
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
