import type { ChartOptions } from "chart.js";
import type { SeriesStyle } from "@/lib/series-style";
import type { ChartTheme } from "./theme";

/** What all figures have in common: no animation, no legend of their own, hairlines, the page's typeface. */
export const baseOptions = (theme: ChartTheme) =>
  ({
    responsive: true,
    maintainAspectRatio: false,
    animation: false,
    normalized: true,
    color: theme.ink2,
    font: { family: theme.font, size: 12 },
    // The figure shows what the pointer is at, by the same stops as the arrow keys.
    events: [],
    layout: { autoPadding: false },
  }) satisfies ChartOptions;

export const axis = (theme: ChartTheme, title: string) => ({
  title: { display: title !== "", text: title, color: theme.ink2, font: { family: theme.font, size: 12 } },
  grid: { color: theme.line, tickColor: theme.line, drawTicks: true, tickLength: 4 },
  border: { color: theme.line },
  ticks: { color: theme.ink2, font: { family: theme.font, size: 12 }, maxRotation: 0, padding: 4 },
});

/** Rows from the top down, each one high; their names are drawn above the bars. */
export const rowAxis = (rows: number) =>
  ({ type: "linear", offset: false, min: -0.5, max: rows - 0.5, reverse: true, display: false }) as const;

/** Points and line of a series. */
export const strokes = (theme: ChartTheme, style: SeriesStyle) => ({
  // Some fills are too pale for a thin line on white.
  borderColor: theme.edge(style),
  borderDash: style.dash,
  borderWidth: 2,
  pointStyle: style.shape,
  pointBackgroundColor: theme.fill(style),
  pointBorderColor: theme.edge(style),
  pointBorderWidth: 1.5,
  pointHitRadius: 8,
});
