import type { Words } from "@rigmark/messages";
import type { ChartConfiguration } from "chart.js";
import { axis, baseOptions, rowAxis } from "./base-options";
import type { IntervalsData } from "./chart-data";
import type { ChartSpec } from "./spec";

const LEAST = 1e-6;
const log = (ratio: number): number => Math.log2(Math.max(ratio, LEAST));

/** 1, 2 and 5 of each power of ten; of many powers only they. */
function decadesBetween(low: number, high: number): number[] {
  const from = Math.floor(Math.log10(Math.max(low, LEAST)));
  const to = Math.ceil(Math.log10(high));
  const steps = to - from > 3 ? [1] : [1, 2, 5];
  return Array.from({ length: to - from + 1 }, (_, i) => steps.map((n) => n * 10 ** (from + i)))
    .flat()
    .filter((tick) => tick >= low * 0.9 && tick <= high * 1.1);
}

/** Where a tick stands, around 1: steps of a decade between far apart values, else even ones of 1, 2 or 5 hundredths or tenths. */
export function ticksBetween(low: number, high: number): number[] {
  if (high / low >= 4) return decadesBetween(low, high);
  const span = Math.max(high - 1, 1 - low, 0.01);
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((s) => span / s <= 4) ?? 1;
  const count = Math.ceil(span / step);
  return Array.from({ length: 2 * count + 1 }, (_, i) => 1 + (i - count) * step).filter(
    (tick) => tick > 0 && tick >= low - step && tick <= high + step,
  );
}

/**
 * One line a ratio: its interval as a bar, the estimate as a point, and the line of "no difference" at 1. Where the interval
 * is open, the bar goes on to the end of the axis, and an arrow beyond it.
 */
export function intervalsSpec(_w: Words, { rows, axisTitle }: IntervalsData): ChartSpec {
  const ends = rows.flatMap((row) => (row.ratio ? [row.ratio.low, row.ratio.high] : []));
  const low = Math.min(1, ...ends);
  const high = Math.max(1, ...ends);
  const ticks = ticksBetween(low, high);
  const from = log(Math.min(low, ticks[0] ?? 1));
  const to = log(Math.max(high, ticks.at(-1) ?? 1));
  const open = rows.flatMap(({ ratio, bound, style }, y) =>
    ratio && bound ? [{ bound, style, y: y + 0.16 }] : [],
  );
  return {
    stops: rows.map((row, index) => [{ dataset: 0, index, text: row.text }]),
    build: (theme) => {
      const config: ChartConfiguration<"bar" | "scatter", unknown[]> = {
        type: "bar",
        data: {
          datasets: [
            {
              type: "bar",
              indexAxis: "y",
              data: rows.map((row, y) => ({
                x: row.ratio
                  ? [
                      row.bound === "≤" ? from : log(row.ratio.low),
                      row.bound === "≥" ? to : log(row.ratio.high),
                    ]
                  : [0, 0],
                y: y + 0.16,
              })),
              barThickness: 7,
              backgroundColor: rows.map((row) => theme.fill(row.style)),
              borderColor: rows.map((row) => theme.edge(row.style)),
              borderWidth: rows.map((row) => (row.ratio ? 1 : 0)),
              borderSkipped: false,
              order: 2,
            },
            {
              type: "scatter",
              data: rows.flatMap((row, y) =>
                row.ratio ? [{ x: log(row.ratio.estimate), y: y + 0.16 }] : [],
              ),
              pointStyle: rows.flatMap((row) => (row.ratio ? [row.style.shape] : [])),
              pointRadius: 5,
              pointBackgroundColor: theme.panel,
              pointBorderColor: rows.flatMap((row) => (row.ratio ? [theme.edge(row.style)] : [])),
              pointBorderWidth: 2,
              order: 1,
            },
            {
              type: "scatter",
              data: open.map(({ bound, y }) => ({ x: bound === "≥" ? to : from, y })),
              pointStyle: "triangle",
              pointRotation: open.map(({ bound }) => (bound === "≥" ? 90 : -90)),
              pointRadius: 7,
              pointBackgroundColor: open.map(({ style }) => theme.fill(style)),
              pointBorderColor: open.map(({ style }) => theme.edge(style)),
              pointBorderWidth: 1,
              clip: false,
              order: 1,
            },
          ],
        },
        options: {
          ...baseOptions(theme),
          indexAxis: "y",
          layout: { padding: { right: 14, left: 14, top: 2 } },
          scales: {
            x: {
              ...axis(theme, axisTitle),
              type: "linear",
              offset: false,
              min: from,
              max: to,
              afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
                scale.ticks = ticks.map((value) => ({ value: log(value) }));
              },
              grid: {
                ...axis(theme, "").grid,
                color: (at: { tick: { value: number } }) =>
                  Math.abs(at.tick.value) < 1e-9 ? theme.ink3 : theme.line,
              },
              ticks: {
                ...axis(theme, "").ticks,
                callback: (value: number | string) => String(Number((2 ** Number(value)).toPrecision(3))),
              },
            },
            y: rowAxis(rows.length),
          },
          plugins: {
            barLabels: {
              rows: rows.map((row) => ({
                name: row.name,
                figure: row.ratio ? row.figure : "",
                winner: false,
                reason: row.ratio ? null : row.reason,
                bound: null,
                note: row.ratio ? row.note : null,
                ends: [],
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
