import { bare, type Words } from "@rigmark/messages";
import { formatQuantity } from "@rigmark/metrics";
import type { ChartConfiguration } from "chart.js";
import { axis, baseOptions, rowAxis } from "./base-options";
import type { RidgesData } from "./chart-data";
import { decades, logUs } from "./percentile-lines";
import type { ChartSpec } from "./spec";

/** Within a row: names above, then the shape, then the trials below it. */
const [GROUND, REACH, TRIALS] = [0.26, 0.4, 0.38];

/** One shape an entry: where its latencies lie. Its median is a large point, the medians of its trials are small ones. */
export function ridgesSpec(w: Words, { rows }: RidgesData): ChartSpec {
  const values = rows.flatMap((row) => [
    ...row.shape.map(({ us }) => us),
    ...row.trials.map(({ value }) => value),
  ]);
  const low = Math.max(Math.min(...values), 0.1);
  const high = Math.max(...values, low);
  const medians = rows.flatMap((row, y) => (row.median === null ? [] : [{ row, y, us: row.median }]));
  const trials = rows.flatMap((row, y) => row.trials.map((trial) => ({ ...trial, row, y })));
  return {
    stops: rows.map((row, y) => [
      ...medians.flatMap((median, index) => (median.y === y ? [{ dataset: 0, index, text: row.text }] : [])),
      ...trials.flatMap((trial, index) =>
        trial.y === y
          ? [
              {
                dataset: 1,
                index,
                text: w.t("figure.reasonOf", {
                  name: w.join([row.name, trial.name]),
                  why: w.join([trial.text, trial.doubt]),
                }),
              },
            ]
          : [],
      ),
    ]),
    build: (theme) => {
      const config: ChartConfiguration<"scatter", { x: number; y: number }[]> = {
        type: "scatter",
        data: {
          datasets: [
            {
              data: medians.map(({ us, y }) => ({ x: logUs(us), y: y + GROUND })),
              pointStyle: medians.map(({ row }) => row.style.shape),
              pointRadius: 6,
              pointHoverRadius: 8,
              pointBackgroundColor: theme.panel,
              pointBorderColor: medians.map(({ row }) => theme.edge(row.style)),
              pointBorderWidth: 2,
              order: 1,
            },
            {
              data: trials.map(({ value, y }) => ({ x: logUs(value), y: y + TRIALS })),
              pointStyle: trials.map(({ row, doubt }) => (doubt === null ? row.style.shape : "crossRot")),
              pointRadius: 3,
              pointHoverRadius: 5,
              pointBackgroundColor: trials.map(({ row, doubt }) =>
                doubt === null ? theme.fill(row.style) : "transparent",
              ),
              pointBorderColor: trials.map(({ row, doubt }) =>
                doubt === null ? theme.edge(row.style) : theme.ink3,
              ),
              pointBorderWidth: 1,
              order: 2,
            },
          ],
        },
        options: {
          ...baseOptions(theme),
          layout: { padding: { right: 14, left: 14, top: 2 } },
          scales: {
            x: {
              ...axis(theme, w.t("ui.latencyAxis")),
              type: "linear",
              offset: false,
              min: logUs(low) - 0.04,
              max: logUs(high) + 0.04,
              afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
                scale.ticks = decades(low, high).map((us) => ({ value: logUs(us) }));
              },
              ticks: {
                ...axis(theme, "").ticks,
                callback: (value: number | string) =>
                  formatQuantity(Number((10 ** Number(value)).toPrecision(3)), "us"),
              },
            },
            y: rowAxis(rows.length),
          },
          plugins: {
            ridges: {
              ridges: rows.map((row) => ({
                shape: row.shape.map(({ us, height }) => ({ x: logUs(us), height })),
                fill: theme.fill(row.style),
                edge: theme.edge(row.style),
              })),
              ground: GROUND,
              reach: REACH,
            },
            barLabels: {
              rows: rows.map((row) => ({
                name: row.name,
                figure: row.figure,
                winner: false,
                reason: row.reason === null ? null : bare(row.reason),
                reasonShort: null,
                bound: null,
                note: null,
                ends: row.trials.map(({ value }) => value),
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
