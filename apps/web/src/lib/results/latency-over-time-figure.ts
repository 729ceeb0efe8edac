import type { Words } from "@rigmark/messages";
import type { LatencyCurve, LatencyOverTime } from "@rigmark/results";
import { untilFirstByte } from "@rigmark/results/ranking";
import type { HeatData } from "@/components/chart/chart-data";
import type { SeriesStyle } from "../series-style";
import { timeInWords } from "./curve-figure";
import type { Figure } from "./main-figure";
import { blockName, type ResultRun, rankedEntries } from "./shape";

/** Between two trials, of the whole axis. */
const GAP = 0.012;

export interface HeatEntry {
  key: string;
  name: string;
  style: SeriesStyle;
  /** What the picture shows: ready, since a browser has few words. */
  summary: string;
  map: LatencyOverTime;
}

/** The entries of a scenario whose tool tells latencies over time. */
export function heatEntries(
  w: Words,
  run: ResultRun,
  scenario: string,
  styles: Map<string, SeriesStyle>,
  curves: readonly LatencyCurve[],
): HeatEntry[] {
  const mine = new Map(curves.flatMap((c) => (c.scenario === scenario ? [[c.entry_key, c] as const] : [])));
  const of = run.scenarios.find((s) => s.id === scenario);
  const summary = (corrected: boolean) =>
    w.sentences([
      w.t("figure.heat.summary", { time: timeInWords(w, untilFirstByte(of)) }),
      corrected && w.t("figure.curveCorrected"),
      (of?.load.kind === "closed" || of?.load.kind === "count") && w.t("figure.heat.closed"),
    ]);
  return rankedEntries(run, scenario).flatMap(({ entry: { key }, name }): HeatEntry[] => {
    const [style, curve] = [styles.get(key), mine.get(key)];
    if (!style || !curve?.over_time) return [];
    return [{ key, name, style, summary: summary(curve.corrected), map: curve.over_time }];
  });
}

/** One entry's latencies over the time of its trials. All entries of the scenario have the same scale. */
export function latencyOverTimeFigure(
  w: Words,
  entries: readonly HeatEntry[],
  { name, style, summary, map }: HeatEntry,
): Figure {
  const edges_us = commonEdges(entries.map((entry) => entry.map));
  const first = edges_us.indexOf(map.edges_us[0] ?? Number.NaN);
  const padded = (counts: readonly number[]) => edges_us.slice(1).map((_, band) => counts[band - first] ?? 0);
  const { columns, spans } = besideEachOther(map);
  const stretch = (column: LatencyOverTime["columns"][number]) =>
    w.t("figure.heat.stretch", {
      block: blockName(w, column.block),
      from: seconds(column.from_s),
      to: seconds(column.to_s),
    });
  const chart: HeatData = {
    kind: "heat",
    style,
    edges_us,
    columns: columns.map(({ column, from, to }) => {
      const counts = padded(column.counts);
      const all = counts.reduce((sum, n) => sum + n, 0);
      return {
        from,
        to,
        shares: counts.map((n) => (all > 0 ? n / all : 0)),
        text:
          all > 0
            ? w.t("figure.heat.stop", {
                stretch: stretch(column),
                half: w.quantity(column.half_us, "us"),
                all: w.quantity(column.all_us, "us"),
              })
            : w.t("figure.heat.none", { stretch: stretch(column) }),
      };
    }),
    spans: spans.map(({ block, from, to }) => ({ from, to, label: blockName(w, block) })),
    axisTitle: w.t("figure.heat.axis"),
  };
  return {
    title: w.t("figure.heat.title", { name }),
    summary,
    chart,
    table: {
      caption: w.t("figure.heat.title", { name }),
      columns: [
        { title: w.t("figure.heat.time") },
        { title: w.t("figure.heat.responses"), align: "right" },
        { title: w.t("figure.heat.half"), align: "right" },
        { title: w.t("figure.heat.all"), align: "right" },
      ],
      csv: [...["block", "from_s", "to_s"], ...edges_us.slice(1).map((us) => `responses_within_${us}_us`)],
      rows: map.columns.map((column, place) => ({
        key: String(place),
        cells: [
          { text: stretch(column) },
          {
            text: w.quantity(
              column.counts.reduce((sum, n) => sum + n, 0),
              "count",
            ),
          },
          { text: w.quantity(column.half_us, "us") },
          { text: w.quantity(column.all_us, "us") },
        ],
        csv: [column.block, column.from_s, column.to_s, ...padded(column.counts)],
      })),
    },
    empty: null,
  };
}

const seconds = (s: number): string => String(Number(s.toFixed(1)));

/** Bands of all maps: each map has those between its own least and greatest latency. */
const commonEdges = (maps: readonly LatencyOverTime[]): number[] =>
  [...new Set(maps.flatMap((map) => map.edges_us))].sort((a, b) => a - b);

/** Trials one after the other, without the time between them. */
function besideEachOther(map: LatencyOverTime) {
  const lengths: { block: number; length: number }[] = [];
  for (const { block, from_s, to_s } of map.columns) {
    const last = lengths.at(-1);
    if (last && last.block === block && from_s > 0) last.length = Math.max(last.length, to_s);
    else lengths.push({ block, length: to_s });
  }
  const gap = GAP * lengths.reduce((sum, { length }) => sum + length, 0);
  let at = 0;
  const spans = lengths.map(({ block, length }) => {
    const span = { block, from: at, to: at + length };
    at += length + gap;
    return span;
  });
  let trial = -1;
  const columns = map.columns.map((column, place) => {
    if (place === 0 || column.from_s === 0) trial += 1;
    const begin = spans[trial]?.from ?? 0;
    return { column, from: begin + column.from_s, to: begin + column.to_s };
  });
  return { columns, spans };
}
