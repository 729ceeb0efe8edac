import type { Words } from "@rigmark/messages";
import { formatQuantity } from "@rigmark/metrics";
import type { ChartConfiguration } from "chart.js";
import { axis, baseOptions, strokes } from "./base-options";
import type { PercentilesData } from "./chart-data";
import type { ChartSpec } from "./spec";

/** Percentiles as nines: 50 → 0.3, 90 → 1, 99 → 2, 99.9 → 3. */
const nines = (p: number): number => -Math.log10(Math.max(1 - p / 100, 1e-6));

export const logUs = (us: number): number => Math.log10(Math.max(us, 0.1));

/** 1, 2 and 5 of each power of ten between two values; where that is hardly any, their own ends. */
export function decades(low: number, high: number): number[] {
  // Of no value at all: their ends are infinite.
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [];
  const steps: number[] = [];
  for (let power = Math.floor(logUs(low)); power <= Math.ceil(logUs(high)); power += 1)
    for (const n of [1, 2, 5]) steps.push(n * 10 ** power);
  const inside = steps.filter((us) => us >= low * 0.9 && us <= high * 1.1);
  return inside.length >= 2 ? inside : [low, high];
}

export function percentileSpec(w: Words, { lines }: PercentilesData): ChartSpec {
  const values = lines.flatMap((line) => line.points.map((point) => point.us));
  // Without a value it is 1 µs, and not infinite.
  const low = values.length > 0 ? Math.max(Math.min(...values), 0.1) : 1;
  const high = Math.max(...values, low);
  const places = [...new Set(lines.flatMap((line) => line.points.map((point) => point.p)))].sort(
    (a, b) => a - b,
  );
  const named = new Set(lines.flatMap((line) => line.points.flatMap((x) => (x.minor ? [] : [x.p]))));
  const steps = places.filter((p) => named.has(p));
  return {
    stops: lines.map((line, dataset) =>
      line.points.map((point, index) => ({
        dataset,
        index,
        text: w.t("ui.percentileAt", { name: line.name, p: point.p, figure: point.text }),
      })),
    ),
    build: (theme) => {
      const config: ChartConfiguration<"line", { x: number; y: number }[]> = {
        type: "line",
        data: {
          datasets: lines.map((line) => ({
            ...strokes(theme, line.style),
            data: line.points.map((point) => ({ x: nines(point.p), y: logUs(point.us) })),
            // A line of one point would be none.
            pointRadius: line.points.map((point) => (point.minor && line.points.length > 1 ? 0 : 4.5)),
            pointHoverRadius: 6,
            pointBackgroundColor: line.points.map((point) =>
              point.rankable ? theme.fill(line.style) : theme.panel,
            ),
          })),
        },
        options: {
          ...baseOptions(theme),
          layout: { padding: (context) => ({ right: Math.min(130, context.chart.width * 0.26), top: 4 }) },
          scales: {
            x: {
              ...axis(theme, w.t("ui.percentileAxis")),
              type: "linear",
              min: nines(places[0] ?? 50) - 0.08,
              max: nines(places.at(-1) ?? 99) + 0.08,
              afterBuildTicks: (scale) => {
                scale.ticks = steps.map((p) => ({ value: nines(p) }));
              },
              ticks: {
                ...axis(theme, "").ticks,
                autoSkip: false,
                callback(_value, index) {
                  const p = steps[index];
                  // p97.5 and p99 would touch on a phone.
                  return p === undefined || (p === 97.5 && this.chart.width < 480) ? "" : `p${p}`;
                },
              },
            },
            y: {
              ...axis(theme, w.t("ui.latencyAxis")),
              type: "linear",
              min: logUs(low) - 0.06,
              max: logUs(high) + 0.06,
              afterBuildTicks: (scale) => {
                scale.ticks = decades(low, high).map((us) => ({ value: logUs(us) }));
              },
              ticks: {
                ...axis(theme, "").ticks,
                callback: (value) => formatQuantity(Number((10 ** Number(value)).toPrecision(3)), "us"),
              },
            },
          },
          plugins: {
            directLabels: {
              labels: lines.map((line, dataset) => ({
                text: line.name,
                color: theme.ink,
                datasets: [dataset],
              })),
            },
          },
        },
      };
      return config as ChartConfiguration;
    },
  };
}
