import type { ChartConfiguration } from "chart.js";
import type { SeriesStyle } from "@/lib/series-style";
import { axis, baseOptions, tooltip } from "./base-options";
import type { ChartSpec } from "./chart-canvas";

export interface BarPoint {
  value: number;
  /** Such as "block 3". */
  name: string;
  text: string;
  valid: boolean;
}
export interface BarRow {
  key: string;
  name: string;
  style: SeriesStyle;
  /** Length of the bar: the median of the valid trials. */
  value: number | null;
  figure: string;
  /** Why there is no bar. */
  reason: string | null;
  lowerBound: boolean;
  points: BarPoint[];
}

const ROW = 52;
const BAR = 16;
/** Points of one bar, spread over its height so that equal trials stay apart. */
const spread = (index: number, count: number): number =>
  count < 2 ? 0 : ((index % 5) / Math.min(4, count - 1) - 0.5) * 0.17;

/** One bar an entry, each trial as a point on it. */
export function barsSpec(
  rows: readonly BarRow[],
  axisTitle: string,
  write: (value: number) => string,
): ChartSpec {
  const points = rows.flatMap((row, y) =>
    row.points.map((p, i) => ({ ...p, row, y: y + 0.16 + spread(i, row.points.length), i })),
  );
  return {
    height: rows.length * ROW + 44,
    stops: rows.map((row, y) => [
      { dataset: 0, index: y, text: `${row.name}: ${row.reason ?? `median ${row.figure}`}` },
      ...points.flatMap((p, index) =>
        p.y >= y && p.y < y + 1
          ? [{ dataset: 1, index, text: `${row.name}, ${p.name}: ${p.text}${p.valid ? "" : ", invalid"}` }]
          : [],
      ),
    ]),
    build: (theme) => {
      const config: ChartConfiguration<"bar" | "scatter", { x: number; y: number }[]> = {
        type: "bar",
        data: {
          datasets: [
            {
              type: "bar",
              indexAxis: "y",
              data: rows.map((row, y) => ({ x: row.value ?? 0, y: y + 0.16 })),
              barThickness: BAR,
              backgroundColor: rows.map((row) => theme.fill(row.style)),
              borderColor: rows.map((row) => theme.edge(row.style)),
              borderWidth: rows.map((row) => (row.value === null ? 0 : 1)),
              order: 2,
            },
            {
              type: "scatter",
              data: points.map((p) => ({ x: p.value, y: p.y })),
              pointStyle: points.map((p) => (p.valid ? p.row.style.shape : "crossRot")),
              pointRadius: 4,
              pointHoverRadius: 6,
              pointBackgroundColor: points.map((p) => (p.valid ? theme.panel : "transparent")),
              pointBorderColor: points.map((p) => (p.valid ? theme.edge(p.row.style) : theme.ink3)),
              pointBorderWidth: 1.5,
              order: 1,
            },
          ],
        },
        options: {
          ...baseOptions(theme),
          indexAxis: "y",
          layout: { padding: { right: 8, top: 2 } },
          scales: {
            x: {
              ...axis(theme, axisTitle),
              type: "linear",
              offset: false,
              beginAtZero: true,
              ticks: { ...axis(theme, "").ticks, maxTicksLimit: 6 },
            },
            y: {
              type: "linear",
              offset: false,
              min: -0.5,
              max: rows.length - 0.5,
              reverse: true,
              display: false,
            },
          },
          plugins: {
            barLabels: {
              rows: rows.map((row) => ({
                name: row.name,
                figure: row.value === null ? "" : row.figure,
                reason: row.value === null ? (row.reason ?? "no figure") : null,
                open: row.lowerBound,
                color: theme.edge(row.style),
              })),
              ink: theme.ink,
              ink3: theme.ink3,
              panel: theme.panel,
            },
            tooltip: {
              ...tooltip(theme),
              callbacks: {
                title: (items) => rows[Math.round(items[0]?.parsed.y ?? 0)]?.name ?? "",
                label: (item) => {
                  if (item.datasetIndex === 0)
                    return `median ${rows[item.dataIndex]?.figure ?? write(item.parsed.x ?? 0)}`;
                  const p = points[item.dataIndex];
                  return p ? `${p.name}: ${p.text}${p.valid ? "" : " (invalid)"}` : "";
                },
              },
            },
          },
        },
      };
      return config as ChartConfiguration;
    },
  };
}
