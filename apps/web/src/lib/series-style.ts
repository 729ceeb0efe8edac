export type Shape = "circle" | "rect" | "triangle" | "rectRot" | "cross" | "crossRot" | "star" | "line";

/** How one entry is drawn everywhere: hue, point shape and dash, so that no chart depends on color alone. */
export interface SeriesStyle {
  /** 1 to 8: `--series-n` fills, `--edge-n` outlines. */
  hue: number;
  shape: Shape;
  dash: number[];
}

const HUES = 8;
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

/** Styles by entry key. Several runs share them: a key keeps what it got first. */
export function assignStyles(keys: readonly string[]): Map<string, SeriesStyle> {
  const styles = new Map<string, SeriesStyle>();
  for (const key of keys) if (!styles.has(key)) styles.set(key, styleAt(styles.size));
  return styles;
}

/** One entry in several runs: its hue, and the dash and point of the run. */
export const styleInRun = (series: number, run: number): SeriesStyle => ({
  ...styleAt(run),
  hue: styleAt(series).hue,
});
