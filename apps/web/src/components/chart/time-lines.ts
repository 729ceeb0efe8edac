import { formatQuantity, type Unit } from "@rigmark/metrics";
import type { ChartConfiguration } from "chart.js";
import type { SeriesStyle } from "@/lib/series-style";
import { axis, baseOptions, strokes, tooltip } from "./base-options";
import type { ChartSpec } from "./chart-canvas";

export interface TimeLine {
  key: string;
  /** Lines with one name share a label at their end. */
  name: string;
  style: SeriesStyle;
  /** Overrides the entry's dash: a tool's line beside its server's. */
  dash?: number[];
  /** Lines of invalid trials are thin. */
  faint: boolean;
  points: { t_s: number; value: number | null }[];
}
export interface TimeSpan {
  from_s: number;
  to_s: number;
  label: string;
  bad: boolean;
}
export interface TimeFigure {
  lines: readonly TimeLine[];
  spans: readonly TimeSpan[];
  unit: Unit;
  axisTitle: string;
  /** Fixed from the plan, so that a growing line does not move the axis. */
  from_s: number;
  to_s: number;
  height?: number;
}

const isLone = (line: TimeLine, index: number): boolean =>
  (line.points[index - 1]?.value ?? null) === null && (line.points[index + 1]?.value ?? null) === null;

/** A round step in powers of 1024, for about five ticks. */
export function byteStep(lines: readonly Pick<TimeLine, "points">[]): number {
  const most = Math.max(1, ...lines.flatMap((line) => line.points.map((point) => point.value ?? 0)));
  const base = 1024 ** Math.floor(Math.log(most) / Math.log(1024));
  const rough = most / 5 / base;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 5, 10].find((n) => n * power >= rough) ?? 10;
  return nice * power * base;
}

/** Values over seconds from the start of the measured window. Gaps stay gaps; a point on its own is drawn as one. */
export function timeSpec({
  lines,
  spans,
  unit,
  axisTitle,
  from_s,
  to_s,
  height = 240,
}: TimeFigure): ChartSpec {
  const names = [...new Set(lines.map((line) => line.name))];
  return {
    height,
    stops: lines.map((line, dataset) =>
      line.points.flatMap((point, index) =>
        point.value === null
          ? []
          : [
              {
                dataset,
                index,
                text: `${line.name} at ${point.t_s.toFixed(1)} s: ${formatQuantity(point.value, unit)}`,
              },
            ],
      ),
    ),
    build: (theme) => {
      const config: ChartConfiguration<"line", { x: number; y: number | null }[]> = {
        type: "line",
        data: {
          datasets: lines.map((line) => ({
            ...strokes(theme, line.style),
            ...(line.dash ? { borderDash: line.dash } : {}),
            borderWidth: line.faint ? 1 : 2,
            data: line.points.map((point) => ({ x: point.t_s, y: point.value })),
            pointRadius: line.points.map((_, index) =>
              isLone(line, index) || line.points.length < 8 ? 3 : 0,
            ),
            pointHoverRadius: 5,
            spanGaps: false,
          })),
        },
        options: {
          ...baseOptions(theme),
          layout: { padding: (context) => ({ right: Math.min(130, context.chart.width * 0.26), top: 4 }) },
          interaction: { mode: "nearest", intersect: false },
          scales: {
            x: {
              ...axis(theme, ""),
              title: {
                ...axis(theme, "").title,
                display: true,
                // Scriptable, though the types know only the text itself.
                text: ((context: { chart: { width: number } }) =>
                  context.chart.width < 520
                    ? "seconds of measurement"
                    : "seconds from the start of the measured window") as unknown as string,
              },
              type: "linear",
              min: from_s,
              max: to_s,
              ticks: { ...axis(theme, "").ticks, maxTicksLimit: 8 },
            },
            y: {
              ...axis(theme, axisTitle),
              type: "linear",
              beginAtZero: true,
              ticks: {
                ...axis(theme, "").ticks,
                maxTicksLimit: 6,
                ...(unit === "bytes" || unit === "bytes_per_s"
                  ? {
                      stepSize: byteStep(lines),
                      callback: (v: string | number) => formatQuantity(Number(v), unit),
                    }
                  : {}),
              },
              afterFit: (scale) => {
                scale.width = Math.max(scale.width, 58);
              },
            },
          },
          plugins: {
            shadedSpans: {
              spans: spans.map((span) => ({
                from: span.from_s,
                to: span.to_s,
                color: span.bad ? theme.shadeBad : theme.shade,
                ink: theme.ink2,
                label: span.label,
              })),
            },
            directLabels: {
              labels: names.map((name) => ({
                text: name,
                color: theme.ink,
                datasets: lines.flatMap((line, index) => (line.name === name ? [index] : [])),
              })),
            },
            tooltip: {
              ...tooltip(theme),
              callbacks: {
                title: (items) => lines[items[0]?.datasetIndex ?? 0]?.name ?? "",
                label: (item) =>
                  `${Number(item.parsed.x).toFixed(1)} s: ${formatQuantity(item.parsed.y, unit)}`,
              },
            },
          },
        },
      };
      return config as ChartConfiguration;
    },
  };
}
