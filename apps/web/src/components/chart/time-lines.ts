import type { Words } from "@rigmark/messages";
import { formatQuantity } from "@rigmark/metrics";
import type { ChartConfiguration } from "chart.js";
import { axis, baseOptions, strokes } from "./base-options";
import type { TimeData, TimeLine } from "./chart-data";
import type { ChartSpec } from "./spec";

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

/** Down to a tenth of a second: the first tick is the axis' own end, and was read to four decimals. */
const tenths = (seconds: number): number => Math.floor(Math.round(seconds * 100) / 10) / 10;

/** All ticks with as many decimals, and a minus as it is written everywhere else. */
export function secondsTick(value: number, ticks: readonly { value: number }[]): string {
  const whole = ticks.every((tick) => Math.abs(tick.value - Math.round(tick.value)) < 1e-9);
  const text = value === 0 ? "0" : value.toFixed(whole ? 0 : 1);
  return text.replace("-", "−");
}

/** Values over seconds from the start of the measured window. Gaps stay gaps; a point on its own is drawn as one. */
export function timeSpec(w: Words, { lines, spans, unit, axisTitle, from_s, to_s }: TimeData): ChartSpec {
  const names = [...new Set(lines.map((line) => line.name))];
  return {
    stops: lines.map((line, dataset) =>
      line.points.flatMap((point, index) =>
        point.value === null
          ? []
          : [
              {
                dataset,
                index,
                t_s: point.t_s,
                text: w.t("ui.atSecond", {
                  name: line.name,
                  second: point.t_s.toFixed(1),
                  figure: w.quantity(point.value, unit),
                }),
              },
            ],
      ),
    ),
    build: (theme, view) => {
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
            clip: view ? 0 : 12,
          })),
        },
        options: {
          ...baseOptions(theme),
          layout: { padding: (context) => ({ right: Math.min(130, context.chart.width * 0.26), top: 4 }) },
          scales: {
            x: {
              ...axis(theme, ""),
              title: {
                ...axis(theme, "").title,
                display: true,
                // Scriptable, though the types know only the text itself.
                text: ((context: { chart: { width: number } }) =>
                  context.chart.width < 520
                    ? w.t("ui.secondsAxisShort")
                    : w.t("ui.secondsAxis")) as unknown as string,
              },
              type: "linear",
              min: view?.from ?? tenths(from_s),
              max: view?.to ?? to_s,
              ticks: {
                ...axis(theme, "").ticks,
                maxTicksLimit: 8,
                callback: (value, _index, ticks) => secondsTick(Number(value), ticks),
              },
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
          },
        },
      };
      return config as ChartConfiguration;
    },
  };
}
