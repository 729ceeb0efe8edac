import type { Words } from "@rigmark/messages";
import type { Unit } from "@rigmark/metrics";
import type { TimeLine, TimeSpan } from "@/components/chart/chart-data";
import type { SeriesStyle } from "../series-style";
import { type Course, type CoursePoint, type CourseTrial, pointsOf } from "./course";
import { type DrawnPoint, drawable } from "./drawable";
import type { Figure } from "./main-figure";
import { blockName } from "./shape";

const TIME_METRICS = {
  rate: { unit: "per_s", csv: "requests_per_s" },
  bytes: { unit: "bytes_per_s", csv: "bytes_per_s" },
  cpu: { unit: "cores", csv: "cpu_cores" },
  memory: { unit: "bytes", csv: "server_rss_bytes" },
} as const satisfies Record<string, { unit: Unit; csv: string }>;
export type TimeMetric = keyof typeof TIME_METRICS;
/** Where both are drawn, the server's line is solid and the tool's is dashed. */
const SOLID: number[] = [];
const TOOL_DASH = [3, 3];

interface Reader {
  /** Of the load tool, not of the server. */
  ofTool?: true;
  read: (point: CoursePoint) => number | null;
  dash?: number[];
}
const READERS: Record<TimeMetric, Reader[]> = {
  rate: [{ read: (p) => p.requests_per_s }],
  bytes: [{ read: (p) => p.bytes_per_s }],
  cpu: [
    { read: (p) => p.server_cpu_cores, dash: SOLID },
    { ofTool: true, read: (p) => p.tool_cpu_cores, dash: TOOL_DASH },
  ],
  memory: [{ read: (p) => p.server_rss_bytes }],
};

interface Sampled {
  points: readonly CoursePoint[];
}

/** Metrics of which any point is known. */
export const knownMetrics = (series: readonly Sampled[]): TimeMetric[] =>
  (Object.keys(READERS) as TimeMetric[]).filter((metric) =>
    READERS[metric].some(({ read }) => series.some((s) => s.points.some((p) => read(p) !== null))),
  );

/** Metrics with two samples of one measured window, one after the other: less is a dot in an empty picture. */
export const metricsWithCourse = (series: readonly Sampled[]): TimeMetric[] => {
  const measured = series.map((s) => drawable(s.points).filter(({ point }) => point?.window === "measure"));
  return (Object.keys(READERS) as TimeMetric[]).filter((metric) =>
    READERS[metric].some(({ read }) => {
      const known = (drawn: DrawnPoint | undefined) => !!drawn?.point && read(drawn.point) !== null;
      return measured.some((points) => points.some((p, i) => known(p) && known(points[i + 1])));
    }),
  );
};

const suffixOf = (w: Words, { ofTool }: Reader): string => (ofTool ? w.t("figure.time.tool") : "");

/** Values over time of all trials of a scenario, or of one block. */
export function timeFigure(
  w: Words,
  course: Course,
  styles: Map<string, SeriesStyle>,
  metric: TimeMetric,
  block: number | null,
): Figure {
  const { unit, csv } = TIME_METRICS[metric];
  const title = w.t(`figure.time.title.${metric}`);
  const trials = course.trials.filter((t) => block === null || t.block === block);
  // A rate that the tool cut off is one all the time, and so are the bytes that go with it.
  const isRate = metric === "rate" || metric === "bytes";
  const entries = course.entries.map(({ key, name, rateBound }) => {
    const bound = isRate ? rateBound : null;
    return { key, bound, name: bound ? `${name} (${bound})` : name };
  });
  const nameOf = ({ entry }: CourseTrial) => entries[entry]?.name ?? w.t("figure.time.unknownEntry");
  const styleOf = ({ entry }: CourseTrial) => styles.get(entries[entry]?.key ?? "");
  const drawn = trials.flatMap((trial, place) =>
    trial.samples ? [{ trial, key: `${place} ${trial.entry} ${trial.block}`, points: pointsOf(trial) }] : [],
  );
  const lines = drawn.flatMap(({ trial, key, points }): TimeLine[] =>
    READERS[metric].flatMap((reader) => {
      const style = styleOf(trial);
      const values = drawable(points).map(({ t_s, point }) => ({ t_s, value: point && reader.read(point) }));
      if (!style || values.every((v) => v.value === null)) return [];
      return [
        {
          key: `${key}${reader.ofTool ? " tool" : ""}`,
          entry: entries[trial.entry]?.key ?? "",
          name: `${nameOf(trial)}${suffixOf(w, reader)}`,
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
    title,
    summary: w.sentences([
      block === null
        ? w.t("figure.time.trials", { n: drawn.length })
        : w.t("figure.time.trialsOfBlock", { n: drawn.length, block: blockName(w, block) }),
      metric === "bytes" && w.t("figure.time.loopback"),
      entries.some((e) => e.bound !== null) && w.t("figure.time.bound"),
      metric === "cpu" && w.t("figure.time.dashes"),
      w.t("figure.time.shaded"),
    ]),
    chart: {
      kind: "time",
      lines,
      spans: [...warmUpSpan(w, from_s), ...(block === null ? [] : invalidSpans(w, trials, nameOf))],
      unit,
      axisTitle: w.t(`figure.time.axis.${metric}`),
      from_s,
      to_s,
    },
    table: {
      caption: w.t("figure.time.caption", { title }),
      columns: [
        { title: w.t("figure.time.trial"), term: "trial" },
        { title: w.t("figure.time.second"), align: "right" },
        { title: w.t("figure.time.window") },
        ...READERS[metric].map((r) => ({
          title: `${w.t(`figure.time.${metric}`)}${suffixOf(w, r)}`,
          align: "right" as const,
        })),
      ],
      csv: ["trial", "t_s", "window", ...READERS[metric].map((r) => `${csv}${r.ofTool ? "_tool" : ""}`)],
      rows: drawn.flatMap(({ trial, key, points }) => {
        const name = w.t("figure.time.trialName", { entry: nameOf(trial), block: blockName(w, trial.block) });
        return points.map((p) => ({
          key: `${key}:${p.t_s}`,
          style: styleOf(trial),
          cells: [
            { text: name },
            { text: p.t_s.toFixed(1) },
            { text: w.t(`figure.time.windows.${p.window}`) },
            ...READERS[metric].map((r) => ({ text: w.quantity(r.read(p), unit) })),
          ],
          csv: [name, p.t_s, p.window, ...READERS[metric].map((r) => r.read(p))],
        }));
      }),
    },
    empty: lines.length > 0 ? null : whyNoLines(w, drawn.length, metric),
  };
}

const whyNoLines = (w: Words, drawn: number, metric: TimeMetric): string => {
  if (drawn === 0) return w.t("figure.time.noSamples");
  if (metric === "rate") return w.t("figure.time.noRate");
  return w.t("figure.time.notTold");
};

const warmUpSpan = (w: Words, from_s: number): TimeSpan[] =>
  from_s < 0 ? [{ from_s, to_s: 0, label: w.t("figure.time.windows.warm-up"), bad: false }] : [];

/** Shaded where one block is shown; over all blocks they would cover each other. */
const invalidSpans = (
  w: Words,
  trials: readonly CourseTrial[],
  nameOf: (trial: CourseTrial) => string,
): TimeSpan[] =>
  trials
    .filter((t) => t.state === "invalid")
    .slice(0, 3)
    .map((t) => ({
      from_s: 0,
      to_s: t.duration_s,
      label: w.t("figure.time.invalid", { name: nameOf(t), why: t.why ?? "" }),
      bad: true,
    }));
