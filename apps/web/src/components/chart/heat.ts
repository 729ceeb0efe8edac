import type { Words } from "@rigmark/messages";
import { formatQuantity } from "@rigmark/metrics";
import type { ChartConfiguration } from "chart.js";
import { axis, baseOptions } from "./base-options";
import type { HeatData } from "./chart-data";
import { decades, logUs } from "./percentile-lines";
import type { ChartSpec } from "./spec";

/** Latency upwards, time to the right. The arrow keys go from column to column, at the band that most responses are in. */
export function heatSpec(w: Words, { columns, edges_us, spans, style, axisTitle }: HeatData): ChartSpec {
  const low = Math.max(edges_us[0] ?? 0.1, 0.1);
  const high = Math.max(edges_us.at(-1) ?? low, low);
  const middle = (from: number, to: number) => (from + to) / 2;
  const edge = (band: number) => logUs(edges_us[band] ?? low);
  const places = columns.map(({ from, to, shares }) => {
    const band = shares.indexOf(Math.max(...shares));
    return { x: middle(from, to), y: middle(edge(band), edge(band + 1)) };
  });
  const most = Math.max(...columns.flatMap(({ shares }) => shares), Number.MIN_VALUE);
  const cells = columns.flatMap(({ from, to, shares }) =>
    shares.flatMap((share, band) =>
      share > 0
        ? [
            {
              x: [from, to] as [number, number],
              y: [edge(band), edge(band + 1)] as [number, number],
              strength: share / most,
            },
          ]
        : [],
    ),
  );
  return {
    stops: [columns.map(({ text }, index) => ({ dataset: 0, index, text }))],
    build: (theme) => {
      const config: ChartConfiguration<"scatter", { x: number; y: number }[]> = {
        type: "scatter",
        data: {
          datasets: [
            {
              data: places,
              pointRadius: 0,
              pointHitRadius: 8,
              pointHoverRadius: 5,
              pointHoverBackgroundColor: theme.panel,
              pointHoverBorderColor: theme.ink,
              pointHoverBorderWidth: 2,
            },
          ],
        },
        options: {
          ...baseOptions(theme),
          layout: { padding: { right: 14, top: 4 } },
          scales: {
            x: {
              ...axis(theme, axisTitle),
              type: "linear",
              min: spans[0]?.from ?? 0,
              max: spans.at(-1)?.to ?? 1,
              grid: { display: false },
              afterBuildTicks: (scale) => {
                scale.ticks = spans.map(({ from, to }) => ({ value: middle(from, to) }));
              },
              ticks: {
                ...axis(theme, "").ticks,
                callback: (_value, index) => spans[index]?.label ?? "",
              },
            },
            y: {
              ...axis(theme, w.t("ui.latencyAxis")),
              type: "linear",
              min: logUs(low),
              max: logUs(high),
              afterBuildTicks: (scale) => {
                scale.ticks = decades(low, high).map((us) => ({ value: logUs(us) }));
              },
              ticks: {
                ...axis(theme, "").ticks,
                callback: (value) => formatQuantity(Number((10 ** Number(value)).toPrecision(3)), "us"),
              },
            },
          },
          plugins: { heat: { cells, color: theme.edge(style) } },
        },
      };
      return config as ChartConfiguration;
    },
  };
}
