import type { Words } from "@rigmark/messages";
import type { Unit } from "@rigmark/metrics";
import type { ChartConfiguration } from "chart.js";
import { axis, baseOptions, strokes } from "./base-options";
import type { HistoryData } from "./chart-data";
import type { ChartSpec } from "./spec";

/** Of more runs the points are small and the intervals a pale band: dark bars side by side would hide the points. */
const FEW = 200;

/** With as many decimals as tell the ticks apart: the values of a quiet host differ by a thousandth. `unit`: null for ratios. */
export function tickText(
  w: Pick<Words, "quantity">,
  unit: Unit | null,
  value: number,
  ticks: readonly { value: number }[],
): string {
  const texts = unit && new Set(ticks.map((tick) => w.quantity(tick.value, unit)));
  if (unit && texts?.size === ticks.length) return w.quantity(value, unit);
  const step = Math.abs((ticks[1]?.value ?? 0) - (ticks[0]?.value ?? 0));
  const digits = step > 0 ? Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) : 3;
  const number = value.toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return unit ? `${number}${w.quantity(1, unit).replace(/^[\d.]+/, "")}` : number;
}

/** Values over runs with their intervals; a step line shows the median between two changes. */
export function historySpec(w: Words, { points, levels, style, unit, axisTitle }: HistoryData): ChartSpec {
  return {
    stops: [
      points.flatMap((point, index) =>
        point.value === null
          ? []
          : [
              {
                dataset: 0,
                index,
                href: point.href,
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
                callback: (value: number | string, _index: number, of: { value: number }[]) =>
                  tickText(w, unit, Number(value), of),
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
