import type { Chart, ChartType, Plugin } from "chart.js";
import { fitText } from "./draw-text";

interface DirectLabel {
  text: string;
  color: string;
  /** Lines that share the label: it stands where they end, in the middle. */
  datasets: number[];
}
export interface DirectLabelsOptions {
  labels?: DirectLabel[];
}

declare module "chart.js" {
  interface PluginOptionsByType<TType extends ChartType> {
    directLabels?: DirectLabelsOptions;
  }
}

const LINE = 14;
/** A last point may lie a little beyond the axis, where it is still drawn. */
const BEYOND = 12;

function endOf(chart: Chart, datasets: readonly number[]): number | null {
  const ends: number[] = [];
  for (const index of datasets) {
    const drawn = chart.getDatasetMeta(index).data;
    for (let i = drawn.length - 1; i >= 0; i -= 1) {
      const point = drawn[i];
      const beyond = point && point.x > chart.chartArea.right + BEYOND;
      if (point && !beyond && Number.isFinite(point.y) && !("skip" in point && point.skip)) {
        ends.push(point.y);
        break;
      }
    }
  }
  if (ends.length === 0) return null;
  ends.sort((a, b) => a - b);
  return ends[Math.floor(ends.length / 2)] ?? null;
}

/** Names each line at the right end of what is shown of it, pushed apart where ends meet. */
export const directLabels: Plugin<ChartType, DirectLabelsOptions> = {
  id: "directLabels",
  afterDatasetsDraw(chart: Chart, _args, options) {
    if (!options.labels?.length) return;
    const { ctx, chartArea } = chart;
    const placed = options.labels
      .map((label) => ({ ...label, y: endOf(chart, label.datasets) }))
      .filter((label): label is typeof label & { y: number } => label.y !== null)
      .sort((a, b) => a.y - b.y);
    for (let i = 1; i < placed.length; i += 1) {
      const [above, here] = [placed[i - 1], placed[i]];
      if (above && here) here.y = Math.max(here.y, above.y + LINE);
    }
    const overflow = (placed.at(-1)?.y ?? 0) - (chartArea.bottom - 2);
    if (overflow > 0) for (const label of placed) label.y -= overflow;
    ctx.save();
    ctx.font = `500 12px ${chart.options.font?.family ?? "sans-serif"}`;
    ctx.textBaseline = "middle";
    for (const label of placed) {
      ctx.fillStyle = label.color;
      ctx.fillText(
        fitText(ctx, label.text, chart.width - chartArea.right - 16),
        chartArea.right + 14,
        label.y,
      );
    }
    ctx.restore();
  },
};
