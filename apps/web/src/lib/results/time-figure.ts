import { formatQuantity, type Unit } from "@rigmark/metrics";
import type { SeriesPoint, TrialSeries, TrialView } from "@rigmark/results";
import type { TimeLine, TimeSpan } from "@/components/chart/chart-data";
import type { SeriesStyle } from "../series-style";
import { plural } from "../text";
import { type DrawnPoint, drawable } from "./drawable";
import type { Figure } from "./main-figure";
import { blockName, type ResultRun, rankedEntries, trialReason } from "./shape";

export const TIME_METRICS = {
  rate: { title: "Rate", axis: "requests per second", unit: "per_s", csv: "requests_per_s" },
  bytes: { title: "Bytes", axis: "bytes per second on loopback", unit: "bytes_per_s", csv: "bytes_per_s" },
  cpu: { title: "CPU", axis: "cores busy", unit: "cores", csv: "cpu_cores" },
  memory: { title: "Memory", axis: "resident memory of the server", unit: "bytes", csv: "server_rss_bytes" },
} as const satisfies Record<string, { title: string; axis: string; unit: Unit; csv: string }>;
export type TimeMetric = keyof typeof TIME_METRICS;
/** Where both are drawn, the server's line is solid and the tool's is dashed. */
const SOLID: number[] = [];
const TOOL_DASH = [3, 3];

interface Reader {
  suffix: string;
  read: (point: SeriesPoint) => number | null;
  dash?: number[];
}
const READERS: Record<TimeMetric, Reader[]> = {
  rate: [{ suffix: "", read: (p) => p.requests_per_s }],
  bytes: [{ suffix: "", read: (p) => p.bytes_per_s }],
  cpu: [
    { suffix: "", read: (p) => p.server_cpu_cores, dash: SOLID },
    { suffix: " (tool)", read: (p) => p.tool_cpu_cores, dash: TOOL_DASH },
  ],
  memory: [{ suffix: "", read: (p) => p.server_rss_bytes }],
};

/** Metrics of which any point is known. */
export const knownMetrics = (series: readonly TrialSeries[]): TimeMetric[] =>
  (Object.keys(READERS) as TimeMetric[]).filter((metric) =>
    READERS[metric].some(({ read }) => series.some((s) => s.points.some((p) => read(p) !== null))),
  );

/** Metrics with two samples of one measured window, one after the other: less is a dot in an empty picture. */
export const metricsWithCourse = (series: readonly TrialSeries[]): TimeMetric[] => {
  const measured = series.map((s) => drawable(s.points).filter(({ point }) => point?.window === "measure"));
  return (Object.keys(READERS) as TimeMetric[]).filter((metric) =>
    READERS[metric].some(({ read }) => {
      const known = (drawn: DrawnPoint | undefined) => !!drawn?.point && read(drawn.point) !== null;
      return measured.some((points) => points.some((p, i) => known(p) && known(points[i + 1])));
    }),
  );
};

export const NO_COURSE =
  "Trials this short have at most one sample in their measured window, which shows no course. The table has what there is.";

const seriesFor = (run: ResultRun, trials: readonly TrialView[]) => {
  const wanted = new Map(trials.map((t) => [t.trial_id, t]));
  return run.series.flatMap((s) => {
    const trial = wanted.get(s.trial_id);
    return trial ? [{ trial, points: s.points }] : [];
  });
};

/** Values over time of all trials of a scenario, or of one block. */
export function timeFigure(
  run: ResultRun,
  scenario: string,
  styles: Map<string, SeriesStyle>,
  metric: TimeMetric,
  block: number | null,
): Figure {
  const { title, axis, unit, csv } = TIME_METRICS[metric];
  const trials = run.trials.filter((t) => t.scenario === scenario && (block === null || t.block === block));
  // A rate that the tool cut off is one all the time, and so are the bytes that go with it.
  const names = new Map(
    rankedEntries(run, scenario).map((r) => [
      r.entry.key,
      (metric === "rate" || metric === "bytes") && r.summary?.lower_bound ? `${r.name} (≥)` : r.name,
    ]),
  );
  const drawn = seriesFor(run, trials);
  const lines = drawn.flatMap(({ trial, points }): TimeLine[] =>
    READERS[metric].flatMap((reader) => {
      const style = styles.get(trial.entry_key);
      const values = drawable(points).map(({ t_s, point }) => ({ t_s, value: point && reader.read(point) }));
      if (!style || values.every((v) => v.value === null)) return [];
      return [
        {
          key: `${trial.trial_id}${reader.suffix}`,
          name: `${names.get(trial.entry_key) ?? "unknown entry"}${reader.suffix}`,
          style,
          ...(reader.dash ? { dash: reader.dash } : {}),
          faint: trial.state === "invalid" || trial.state === "failed",
          points: values,
        },
      ];
    }),
  );
  const from_s = Math.min(0, ...trials.map((t) => -Math.max(t.warmup_s, (t.warmup_us ?? 0) / 1e6)));
  const last_s = Math.max(0, ...lines.flatMap((line) => line.points.map((p) => p.t_s)));
  const planned_s = Math.max(1, ...trials.map((t) => t.duration_s));
  // The last sample comes a little after the end; that is no reason for an odd axis.
  const to_s = last_s > planned_s * 1.1 ? last_s : planned_s;
  return {
    title: `${title} over time`,
    summary: `${plural(drawn.length, "trial")}${block === null ? "" : ` of ${blockName(block)}`}. ${
      metric === "bytes"
        ? "Bytes on the loopback of the trial's own network namespace: the tool prints no rate while it runs. "
        : ""
    }${[...names.values()].some((name) => name.endsWith("(≥)")) ? "≥: the tool was the limit, so the server can do at least this much. " : ""}${metric === "cpu" ? "Solid: the server; dashed: the load tool. " : ""}Warm-up is shaded and never counted.`,
    chart: {
      kind: "time",
      lines,
      spans: spansOf(trials, names, from_s, block !== null),
      unit,
      axisTitle: axis,
      from_s,
      to_s,
    },
    table: {
      caption: `${title} over time, by trial`,
      columns: [
        { title: "Trial", term: "trial" },
        { title: "Second", align: "right" },
        { title: "Window" },
        ...READERS[metric].map((r) => ({ title: `${title}${r.suffix}`, align: "right" as const })),
      ],
      csv: ["trial", "t_s", "window", ...READERS[metric].map((r) => `${csv}${r.suffix ? "_tool" : ""}`)],
      rows: drawn.flatMap(({ trial, points }) => {
        const name = `${names.get(trial.entry_key) ?? "unknown entry"}, ${blockName(trial.block)}`;
        return points.map((p) => ({
          key: `${trial.trial_id}:${p.t_s}`,
          style: styles.get(trial.entry_key),
          cells: [
            { text: name },
            { text: p.t_s.toFixed(1) },
            { text: p.window },
            ...READERS[metric].map((r) => ({ text: formatQuantity(r.read(p), unit) })),
          ],
          csv: [name, p.t_s, p.window, ...READERS[metric].map((r) => r.read(p))],
        }));
      }),
    },
    empty: lines.length > 0 ? null : whyNoLines(drawn.length, metric),
  };
}

const whyNoLines = (drawn: number, metric: TimeMetric): string => {
  if (drawn === 0) return "No samples have arrived yet.";
  if (metric === "rate") return "This tool prints no rate while it runs.";
  return "This host could not tell.";
};

/** Invalid windows are shaded where one block is shown; over all blocks they would cover each other. */
function spansOf(
  trials: readonly TrialView[],
  names: Map<string, string>,
  from_s: number,
  oneBlock: boolean,
): TimeSpan[] {
  const warmUp: TimeSpan[] = from_s < 0 ? [{ from_s, to_s: 0, label: "warm-up", bad: false }] : [];
  const invalid = trials
    .filter((t) => oneBlock && t.state === "invalid")
    .slice(0, 3)
    .map((t) => ({
      from_s: 0,
      to_s: t.duration_s,
      label: `invalid: ${names.get(t.entry_key) ?? ""}, ${trialReason(t)}`,
      bad: true,
    }));
  return [...warmUp, ...invalid];
}
