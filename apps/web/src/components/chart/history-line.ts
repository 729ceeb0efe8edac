import type { Words } from "@rigmark/messages";
import type { ChartConfiguration } from "chart.js";
import { axis, baseOptions, strokes } from "./base-options";
import type { HistoryData } from "./chart-data";
import type { ChartSpec } from "./spec";

/** Of more runs the points are small and the intervals a pale band: dark bars side by side would hide the points. */
const FEW = 200;

/** Values over runs with their intervals; a step line shows the median between two changes. */
export function historySpec(w: Words, { points, levels, style, unit, axisTitle }: HistoryData): ChartSpec {
  const shown = (value: number): string =>
    unit === null ? String(Number(value.toPrecision(3))) : w.quantity(value, unit);
  return {
    stops: [
      points.flatMap((point, index) =>
        point.value === null
          ? []
          : [
              {
                dataset: 0,
                index,
                get text() {
                  return point.text;
                },
              },
            ],
      ),
    ],
    build: (theme) => {
      const config: ChartConfiguration<"line" | "bar", unknown[]> = {
        type: "line",
        data: {
          datasets: [
            {
              type: "line",
              ...strokes(theme, style),
              showLine: false,
              data: points.map(({ value }, x) => ({ x, y: value })),
              pointRadius: points.length > FEW ? 2 : 4,
              pointHoverRadius: 6,
              order: 1,
            },
            {
              type: "bar",
              data: points.map(({ low, high }, x) => ({
                x,
                y: low === null || high === null ? null : [low, high],
              })),
              backgroundColor: points.length > FEW ? theme.line : theme.ink3,
              barThickness: 1,
              minBarLength: 0,
              order: 3,
            },
            ...levels.map(({ from, to, value }) => ({
              type: "line" as const,
              data: [
                { x: from - 0.4, y: value },
                { x: to + 0.4, y: value },
              ],
              borderColor: theme.ink,
              borderWidth: 2,
              pointRadius: 0,
              order: 0,
            })),
          ],
        },
        options: {
          ...baseOptions(theme),
          layout: { padding: { right: 14, top: 4 } },
          scales: {
            x: {
              ...axis(theme, ""),
              type: "linear",
              offset: false,
              // Bars would have the lines between the places of runs.
              grid: { ...axis(theme, "").grid, offset: false },
              min: -0.5,
              max: Math.max(points.length, 2) - 0.5,
              // Chart.js would count from -0.5, where no run is.
              afterBuildTicks: (scale: { ticks: { value: number }[]; width: number }) => {
                scale.ticks = dated(points.length, scale.width).map((value) => ({ value }));
              },
              ticks: {
                ...axis(theme, "").ticks,
                autoSkip: false,
                align: "start" as const,
                callback: (value: number | string) => points[Number(value)]?.when ?? "",
              },
            },
            y: {
              ...axis(theme, axisTitle),
              type: "linear",
              beginAtZero: false,
              grace: "8%",
              ticks: {
                ...axis(theme, "").ticks,
                maxTicksLimit: 6,
                callback: (value: number | string) => shown(Number(value)),
              },
              afterFit: (scale: { width: number }) => {
                scale.width = Math.max(scale.width, 58);
              },
            },
          },
          plugins: {
            shadedSpans: {
              spans: points.flatMap(({ mark }, x) =>
                mark ? [{ from: x - 0.54, to: x - 0.46, color: theme.ink3, ink: theme.ink2, label: "" }] : [],
              ),
            },
          },
        },
      };
      return config as ChartConfiguration;
    },
  };
}

/** Places of the runs whose dates are written below: as many as fit, evenly apart, the first one among them. */
function dated(runs: number, width_px: number): number[] {
  const fitting = Math.max(2, Math.min(6, Math.floor(width_px / 110)));
  const every = Math.max(1, Math.ceil(runs / fitting));
  return Array.from({ length: Math.ceil(runs / every) }, (_, at) => at * every);
}
