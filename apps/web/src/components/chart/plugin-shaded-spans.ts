import type { Chart, ChartType, Plugin } from "chart.js";
import { fitText } from "./draw-text";

interface ShadedSpan {
  from: number;
  to: number;
  color: string;
  ink: string;
  /** Written at the top of the span, where it fits. */
  label: string;
}
export interface ShadedSpansOptions {
  spans?: ShadedSpan[];
}

declare module "chart.js" {
  interface PluginOptionsByType<TType extends ChartType> {
    shadedSpans?: ShadedSpansOptions;
  }
}

/** Warm-up and invalid time, shaded behind the lines. */
export const shadedSpans: Plugin<ChartType, ShadedSpansOptions> = {
  id: "shadedSpans",
  beforeDatasetsDraw(chart: Chart, _args, options) {
    const x = chart.scales.x;
    if (!x || !options.spans?.length) return;
    const { ctx, chartArea } = chart;
    ctx.save();
    ctx.font = `11px ${chart.options.font?.family ?? "sans-serif"}`;
    ctx.textBaseline = "top";
    for (const span of options.spans) {
      const from = Math.max(chartArea.left, x.getPixelForValue(Math.max(span.from, x.min)));
      const to = Math.min(chartArea.right, x.getPixelForValue(Math.min(span.to, x.max)));
      if (to <= from) continue;
      ctx.fillStyle = span.color;
      ctx.fillRect(from, chartArea.top, to - from, chartArea.bottom - chartArea.top);
      const text = fitText(ctx, span.label, to - from - 8);
      // A cut word says nothing; a cut sentence still does.
      if (text === span.label || text.length > 12) {
        ctx.fillStyle = span.ink;
        ctx.fillText(text, from + 4, chartArea.top + 3);
      }
    }
    ctx.restore();
  },
};
