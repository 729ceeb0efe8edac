import type { Chart, ChartType, Plugin } from "chart.js";

interface HeatCell {
  x: [number, number];
  y: [number, number];
  /** 1: the darkest cell. */
  strength: number;
}
export interface HeatOptions {
  cells?: HeatCell[];
  /** As `#rrggbb`. */
  color?: string;
}

declare module "chart.js" {
  interface PluginOptionsByType<TType extends ChartType> {
    heat?: HeatOptions;
  }
}

/** A single response of thousands is still seen. */
const FAINTEST = 0.16;
/** Shares differ by orders of magnitude: the square root lets small ones be told apart. */
const alphaOf = (strength: number): number => FAINTEST + (1 - FAINTEST) * Math.sqrt(strength);

function withAlpha(color: string, alpha: number): string {
  const [red = 0, green = 0, blue = 0] = (color.match(/[0-9a-f]{2}/gi) ?? []).map((part) =>
    Number.parseInt(part, 16),
  );
  return `rgba(${red}, ${green}, ${blue}, ${alpha.toFixed(3)})`;
}

/** Filled cells under everything else. */
export const heat: Plugin<ChartType, HeatOptions> = {
  id: "heat",
  beforeDatasetsDraw(chart: Chart, _args, { cells, color }) {
    const { x, y } = chart.scales;
    if (!x || !y || !cells || !color) return;
    const { ctx } = chart;
    ctx.save();
    for (const cell of cells) {
      const [left, right] = cell.x.map((at) => x.getPixelForValue(at)) as [number, number];
      const [bottom, top] = cell.y.map((at) => y.getPixelForValue(at)) as [number, number];
      ctx.fillStyle = withAlpha(color, alphaOf(cell.strength));
      ctx.fillRect(left, top, Math.max(right - left, 1), Math.max(bottom - top, 1));
    }
    ctx.restore();
  },
};
