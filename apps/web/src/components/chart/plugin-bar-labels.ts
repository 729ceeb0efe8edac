import type { Bound } from "@rigmark/metrics";
import type { Chart, ChartType, Plugin } from "chart.js";
import { fitText } from "./draw-text";

export interface BarLabel {
  name: string;
  figure: string;
  winner: boolean;
  /** Written in place of a bar where there is no figure. */
  reason: string | null;
  /** The tool was the limit: the bar's end stays open, to either side. */
  bound: Bound;
  /** Before the figure. */
  note: string | null;
  color: string;
}
export interface BarLabelsOptions {
  rows?: BarLabel[];
  ink?: string;
  ink3?: string;
  panel?: string;
}

declare module "chart.js" {
  interface PluginOptionsByType<TType extends ChartType> {
    barLabels?: BarLabelsOptions;
  }
}

/** Name and figure above each bar: long names need no axis of their own, so 390 px is enough. */
export const barLabels: Plugin<ChartType, BarLabelsOptions> = {
  id: "barLabels",
  afterDatasetsDraw(chart: Chart, _args, options) {
    const { x, y } = chart.scales;
    if (!x || !y || !options.rows) return;
    const { ctx, chartArea } = chart;
    const family = chart.options.font?.family ?? "sans-serif";
    const width = chartArea.right - chartArea.left;
    ctx.save();
    ctx.textBaseline = "middle";
    options.rows.forEach((row, index) => {
      const line = y.getPixelForValue(index - 0.28);
      ctx.font = `${row.winner ? 600 : 400} 13px ${family}`;
      ctx.textAlign = "right";
      ctx.fillStyle = options.ink ?? "#000";
      ctx.fillText(row.figure, chartArea.right, line);
      let taken = ctx.measureText(row.figure).width;
      if (row.note) {
        ctx.font = `12px ${family}`;
        ctx.fillStyle = options.ink3 ?? "#666";
        ctx.fillText(row.note, chartArea.right - taken - 8, line);
        taken += ctx.measureText(row.note).width + 8;
        ctx.font = `${row.winner ? 600 : 400} 13px ${family}`;
        ctx.fillStyle = options.ink ?? "#000";
      }
      ctx.textAlign = "left";
      ctx.fillText(fitText(ctx, row.name, width - taken - 16), chartArea.left, line);
      const bar = chart.getDatasetMeta(0).data[index];
      const middle = y.getPixelForValue(index + 0.16);
      if (row.reason !== null) {
        ctx.font = `12px ${family}`;
        ctx.fillStyle = options.ink3 ?? "#666";
        ctx.fillText(fitText(ctx, row.reason, width - 6), chartArea.left + 3, middle);
      } else if (row.bound && bar) {
        openEnd(
          ctx,
          { x: bar.x, y: middle, on: row.bound === "≥" ? 1 : -1 },
          options.panel ?? "#fff",
          row.color,
        );
      }
    });
    ctx.restore();
  },
};

/** Two chevrons that run on where the bar would end, or back from there. */
function openEnd(
  ctx: CanvasRenderingContext2D,
  { x, y, on }: { x: number; y: number; on: 1 | -1 },
  ground: string,
  color: string,
): void {
  ctx.fillStyle = ground;
  ctx.fillRect(x - 5, y - 9, 3, 18);
  ctx.strokeStyle = color;
  ctx.lineWidth = 2;
  for (const step of [1, 6]) {
    ctx.beginPath();
    const from = on === 1 ? x + step : x + step + 5;
    ctx.moveTo(from, y - 6);
    ctx.lineTo(from + 5 * on, y);
    ctx.lineTo(from, y + 6);
    ctx.stroke();
  }
}
