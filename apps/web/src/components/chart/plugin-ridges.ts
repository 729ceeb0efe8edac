import type { Chart, ChartType, Plugin } from "chart.js";

interface Ridge {
  /** Along the x axis, and how high above the ground, 0 to 1. */
  shape: { x: number; height: number }[];
  fill: string;
  edge: string;
}
export interface RidgesOptions {
  ridges?: Ridge[];
  /** On the y axis, from the row's own place: where shapes stand, and how high they may be. */
  ground?: number;
  reach?: number;
}

declare module "chart.js" {
  interface PluginOptionsByType<TType extends ChartType> {
    ridges?: RidgesOptions;
  }
}

/** One filled shape a row. */
export const ridges: Plugin<ChartType, RidgesOptions> = {
  id: "ridges",
  beforeDatasetsDraw(chart: Chart, _args, options) {
    const { x, y } = chart.scales;
    if (!x || !y || !options.ridges) return;
    const { ground = 0, reach = 0 } = options;
    const { ctx } = chart;
    ctx.save();
    ctx.lineWidth = 1;
    options.ridges.forEach(({ shape, fill, edge }, row) => {
      const [first, last] = [shape[0], shape.at(-1)];
      if (!first || !last) return;
      const bottom = y.getPixelForValue(row + ground);
      ctx.beginPath();
      ctx.moveTo(x.getPixelForValue(first.x), bottom);
      for (const step of shape)
        ctx.lineTo(x.getPixelForValue(step.x), y.getPixelForValue(row + ground - reach * step.height));
      ctx.lineTo(x.getPixelForValue(last.x), bottom);
      ctx.closePath();
      ctx.fillStyle = fill;
      ctx.fill();
      ctx.strokeStyle = edge;
      ctx.stroke();
    });
    ctx.restore();
  },
};
