import type { Bound } from "@rigmark/metrics";
import type { Chart, ChartType, Plugin } from "chart.js";
import { fitText } from "./draw-text";

interface BarLabel {
  name: string;
  figure: string;
  winner: boolean;
  /** Written in place of a bar where there is no figure. */
  reason: string | null;
  /** The same where there is little room. */
  reasonShort: string | null;
  /** The tool was the bottleneck: the bar's end stays open, to either side. */
  bound: Bound;
  /** Before the figure. */
  note: string | null;
  /** The bar's value and those of its points: the open end stands clear of them. */
  ends: number[];
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
      let taken = ctx.measureText(row.figure).width;
      // No line of the grid goes through a figure.
      ctx.fillStyle = options.panel ?? "#fff";
      ctx.fillRect(chartArea.right - taken - 2, line - 8, taken + 2, 16);
      ctx.fillStyle = options.ink ?? "#000";
      ctx.fillText(row.figure, chartArea.right, line);
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
        // Where trials are drawn although none counts, it stands above them: they would cross it out.
        if (row.ends.length > 1) {
          const room = width - ctx.measureText(row.name).width - 32;
          const whole = ctx.measureText(row.reason).width <= room;
          ctx.textAlign = "right";
          // On a phone what there is room for: the table has the rest.
          const said = whole ? row.reason : (row.reasonShort ?? row.reason);
          ctx.fillText(fitText(ctx, said, room), chartArea.right, line);
        } else ctx.fillText(fitText(ctx, row.reason, width - 6), chartArea.left + 3, middle);
      } else if (row.bound && bar) {
        const reach = row.ends.map((value) => x.getPixelForValue(value));
        const at =
          row.bound === "≥"
            ? { x: Math.min(Math.max(...reach) + 7, chart.width - 12), y: middle, on: 1 as const }
            : { x: Math.max(Math.min(...reach) - 20, chartArea.left + 2), y: middle, on: -1 as const };
        cutEnd(ctx, bar.x, middle, options.panel ?? "#fff");
        openEnd(ctx, at, row.bound === "≥" ? row.color : (options.panel ?? "#fff"));
      }
    });
    ctx.restore();
  },
};

/** A gap before the end of the bar: it does not end there. */
function cutEnd(ctx: CanvasRenderingContext2D, x: number, y: number, ground: string): void {
  ctx.fillStyle = ground;
  ctx.fillRect(x - 5, y - 9, 3, 18);
}

/** Two chevrons that run on from there, or back. */
function openEnd(
  ctx: CanvasRenderingContext2D,
  { x, y, on }: { x: number; y: number; on: 1 | -1 },
  color: string,
): void {
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
