import { type EntriesOfRun, matchSeries } from "@rigmark/results/match-series";

export type Shape = "circle" | "rect" | "triangle" | "rectRot" | "cross" | "crossRot" | "star" | "line";

/** How one entry is drawn everywhere: hue, point shape and dash, so that no chart depends on color alone. */
export interface SeriesStyle {
  /** 1 to 8: `--series-n` fills, `--edge-n` outlines and lines. */
  hue: number;
  shape: Shape;
  dash: number[];
}

/** So many places have a hue, a shape and a dash of their own. */
export const HUES = 8;
const SHAPES: readonly Shape[] = [
  "circle",
  "rect",
  "triangle",
  "rectRot",
  "cross",
  "crossRot",
  "star",
  "line",
];
const DASHES: readonly number[][] = [
  [],
  [6, 3],
  [2, 3],
  [10, 3, 2, 3],
  [12, 4],
  [4, 2, 1, 2],
  [1, 2],
  [8, 2, 2, 2, 2, 2],
];

/** From the place in the plan's order of entries. The second eight have the hues again with other shapes and dashes. */
export function styleAt(index: number): SeriesStyle {
  const turn = Math.floor(index / HUES);
  return {
    hue: (index % HUES) + 1,
    shape: SHAPES[(index + turn * 3) % SHAPES.length] ?? "circle",
    dash: DASHES[(index + turn * 3) % DASHES.length] ?? [],
  };
}

/** Styles by entry key: a key keeps what it got first. */
export function assignStyles(keys: readonly string[]): Map<string, SeriesStyle> {
  const styles = new Map<string, SeriesStyle>();
  for (const key of keys) if (!styles.has(key)) styles.set(key, styleAt(styles.size));
  return styles;
}

/** The same for several runs: a series looks the same in each, also where its build is another one. */
export function stylesInRuns(runs: readonly EntriesOfRun[]): Map<string, SeriesStyle> {
  const styles = new Map<string, SeriesStyle>();
  for (const [place, { keys }] of matchSeries(runs).entries())
    for (const key of keys) if (key !== null) styles.set(key, styleAt(place));
  return styles;
}

/** One entry in several runs: its hue, and the dash and point of the run. No two are alike up to `HUES` of each. */
export const styleInRun = (series: number, run: number): SeriesStyle => ({
  ...styleAt(run),
  hue: styleAt(series).hue,
});
