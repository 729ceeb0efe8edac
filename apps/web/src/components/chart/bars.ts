import { bare, type Words } from "@rigmark/messages";
import type { ChartConfiguration } from "chart.js";
import { axis, baseOptions, rowAxis } from "./base-options";
import type { BarsData } from "./chart-data";
import type { ChartSpec } from "./spec";

const BAR = 16;
/** Points of one bar, spread over its height so that equal trials stay apart. */
const spread = (index: number, count: number): number =>
  count < 2 ? 0 : ((index % 5) / Math.min(4, count - 1) - 0.5) * 0.17;

/** One unit for the whole axis, so that its ticks are plain numbers. */
function timeScale(mostUs: number): { divide: number; suffix: string } {
  if (mostUs >= 5e6) return { divide: 1e6, suffix: ", s" };
  return mostUs >= 5e3 ? { divide: 1e3, suffix: ", ms" } : { divide: 1, suffix: ", µs" };
}

/** One bar an entry, each trial as a point on it. */
export function barsSpec(w: Words, { rows, unit, axisTitle }: BarsData): ChartSpec {
  const most = Math.max(...rows.flatMap((row) => [row.value ?? 0, ...row.points.map((p) => p.value)]), 0);
  const { divide, suffix } = unit === "us" ? timeScale(most) : { divide: 1, suffix: "" };
  const points = rows.flatMap((row, y) =>
    row.points.map((p, i) => ({ ...p, row, y: y + 0.16 + spread(i, row.points.length), i })),
  );
  return {
    stops: rows.map((row, y) => [
      {
        dataset: 0,
        index: y,
        text: w.t("figure.reasonOf", {
          name: row.winner ? w.t("ui.winnerStop", { name: row.name }) : row.name,
          why: w.join([row.reason ?? w.t("ui.medianStop", { figure: row.figure }), row.note]),
        }),
      },
      ...points.flatMap((p, index) =>
        p.y >= y && p.y < y + 1
          ? [
              {
                dataset: 1,
                index,
                text: w.t("figure.reasonOf", {
                  name: w.join([row.name, p.name]),
                  why: w.join([p.text, p.doubt]),
                }),
              },
            ]
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
              pointStyle: points.map((p) => (p.doubt === null ? p.row.style.shape : "crossRot")),
              pointRadius: 4,
              pointHoverRadius: 6,
              pointBackgroundColor: points.map((p) => (p.doubt === null ? theme.panel : "transparent")),
              pointBorderColor: points.map((p) => (p.doubt === null ? theme.edge(p.row.style) : theme.ink3)),
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
              ...axis(theme, `${axisTitle}${suffix}`),
              type: "linear",
              offset: false,
              beginAtZero: true,
              ticks: {
                ...axis(theme, "").ticks,
                maxTicksLimit: 6,
                callback: (value) => (Number(value) / divide).toLocaleString("en-US"),
              },
            },
            y: rowAxis(rows.length),
          },
          plugins: {
            barLabels: {
              rows: rows.map((row) => ({
                name: row.name,
                figure: row.value === null ? "" : row.figure,
                winner: row.winner,
                reason: row.value === null ? bare(row.reason ?? w.t("ui.noFigure")) : null,
                reasonShort: row.reasonShort === null ? null : bare(row.reasonShort),
                bound: row.bound,
                note: row.value === null || row.note === null ? null : bare(row.note),
                ends: [row.value ?? 0, ...row.points.map((p) => p.value)],
                color: theme.edge(row.style),
              })),
              ink: theme.ink,
              ink3: theme.ink3,
              panel: theme.panel,
            },
          },
        },
      };
      return config as ChartConfiguration;
    },
  };
}
