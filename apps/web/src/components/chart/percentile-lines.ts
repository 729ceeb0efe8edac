import { formatQuantity } from "@rigmark/metrics";
import type { ChartConfiguration } from "chart.js";
import { axis, baseOptions, strokes } from "./base-options";
import type { PercentilesData } from "./chart-data";
import type { ChartSpec } from "./spec";

/** Percentiles as nines: 50 → 0.3, 90 → 1, 99 → 2, 99.9 → 3. */
export const nines = (p: number): number => -Math.log10(Math.max(1 - p / 100, 1e-6));

export function percentileSpec({ lines }: PercentilesData): ChartSpec {
  const steps = [...new Set(lines.flatMap((line) => line.points.map((point) => point.p)))].sort(
    (a, b) => a - b,
  );
  return {
    stops: lines.map((line, dataset) =>
      line.points.map((point, index) => ({
        dataset,
        index,
        text: `${line.name}, p${point.p}: ${point.text}`,
      })),
    ),
    build: (theme) => {
      const config: ChartConfiguration<"line", { x: number; y: number }[]> = {
        type: "line",
        data: {
          datasets: lines.map((line) => ({
            ...strokes(theme, line.style),
            data: line.points.map((point) => ({ x: nines(point.p), y: Math.max(point.us, 0.1) })),
            pointRadius: 4.5,
            pointHoverRadius: 6,
            pointBackgroundColor: line.points.map((point) =>
              point.rankable ? theme.fill(line.style) : theme.panel,
            ),
          })),
        },
        options: {
          ...baseOptions(theme),
          layout: { padding: (context) => ({ right: Math.min(130, context.chart.width * 0.26), top: 4 }) },
          scales: {
            x: {
              ...axis(theme, "percentile of requests"),
              type: "linear",
              min: nines(steps[0] ?? 50) - 0.08,
              max: nines(steps.at(-1) ?? 99) + 0.08,
              afterBuildTicks: (scale) => {
                scale.ticks = steps.map((p) => ({ value: nines(p) }));
              },
              ticks: {
                ...axis(theme, "").ticks,
                autoSkip: false,
                callback(_value, index) {
                  const p = steps[index];
                  // p97.5 and p99 would touch on a phone.
                  return p === undefined || (p === 97.5 && this.chart.width < 480) ? "" : `p${p}`;
                },
              },
            },
            y: {
              ...axis(theme, "latency, log scale"),
              type: "logarithmic",
              ticks: {
                ...axis(theme, "").ticks,
                callback: (value) =>
                  /^[125]/.test(Number(value).toExponential()) ? formatQuantity(Number(value), "us") : "",
              },
            },
          },
          plugins: {
            directLabels: {
              labels: lines.map((line, dataset) => ({
                text: line.name,
                color: theme.ink,
                datasets: [dataset],
              })),
            },
          },
        },
      };
      return config as ChartConfiguration;
    },
  };
}
