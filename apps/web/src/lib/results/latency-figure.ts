import { formatBound, METRICS } from "@rigmark/metrics";
import type { LatencyCurve } from "@rigmark/results";
import { partlyCounts, untilFirstByte } from "@rigmark/results/ranking";
import type { PercentileLine } from "@/components/chart/chart-data";
import type { Cell } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import {
  ABOUT,
  boundName,
  csvName,
  curveFigure,
  LOAD_LABEL,
  type LoadKind,
  medianOf,
  percentilesInWords,
  type Ranked,
  STEPS,
  timeInWords,
  usBound,
  withoutLine,
} from "./curve-figure";
import type { Figure } from "./main-figure";
import { formatSpan, type ResultRun, rankedEntries, summaryOf } from "./shape";

const HINTS: Record<number, string> = {
  50: METRICS.latency_p50_us.meaning,
  90: METRICS.latency_p90_us.meaning,
  97.5: METRICS.latency_p97_5_us.meaning,
  99: METRICS.latency_p99_us.meaning,
  99.9: METRICS.latency_p99_9_us.meaning,
};

const hintOf = (p: number, firstByte: boolean): string =>
  (firstByte ? HINTS[p]?.replace("were answered", "had the first byte of their response") : HINTS[p]) ?? "";

/**
 * Latency of each entry: the curve of all its trials together where the tool gives histograms, else the percentiles
 * that it printed, as the median of trials. Never a mean of percentiles.
 */
export function latencyFigure(
  run: ResultRun,
  scenario: string,
  styles: Map<string, SeriesStyle>,
  curves: readonly LatencyCurve[] = [],
): Figure {
  const mine = new Map(
    curves.flatMap((c) =>
      c.scenario === scenario && c.points.length > 0 ? [[c.entry_key, c] as const] : [],
    ),
  );
  const ranked = rankedEntries(run, scenario);
  const of = run.scenarios.find((s) => s.id === scenario);
  const load = of?.load.kind ?? "closed";
  const firstByte = untilFirstByte(of);
  return mine.size > 0
    ? curveFigure(ranked, mine, styles, load, firstByte)
    : printedFigure(ranked, styles, { load, firstByte }, summaryOf(run, scenario) !== undefined);
}

const noteOf = (note: string | null | undefined): string | null => (note ? plainLine(note) : null);

function printedFigure(
  ranked: Ranked[],
  styles: Map<string, SeriesStyle>,
  { load, firstByte }: { load: LoadKind; firstByte: boolean },
  ended: boolean,
): Figure {
  const steps = STEPS.filter((p) => ranked.some((r) => medianOf(r, p)));
  const lines = ranked.flatMap((r): PercentileLine[] => {
    const style = styles.get(r.entry.key);
    const points = (r.summary?.percentiles ?? []).flatMap((p) =>
      p.us
        ? [
            {
              p: p.p,
              us: p.us.median,
              minor: false,
              rankable: p.rankable,
              text:
                p.us.n > 1
                  ? `${formatBound(p.us.median, "us", usBound(r, load))} (${formatSpan(p.us.min, p.us.max, "us")})`
                  : formatBound(p.us.median, "us", usBound(r, load)),
            },
          ]
        : [],
    );
    return style && points.length > 0 ? [{ key: r.entry.key, name: boundName(r, load), style, points }] : [];
  });
  return {
    title: "Latency percentiles",
    summary: [`${timeInWords(firstByte)}, median of trials.`, ABOUT[load], withoutLine(ranked, lines, load)]
      .filter(Boolean)
      .join(" "),
    chart: { kind: "percentiles", lines },
    table: {
      caption: `${percentilesInWords(firstByte)}, median of trials`,
      columns: [
        { title: "Entry", term: "entry" },
        ...steps.map((p) => ({
          title: `p${p}`,
          align: "right" as const,
          note: `${LOAD_LABEL[load]}, median of trials`,
          hint: `${hintOf(p, firstByte)} Of an even number of trials the lower of the two in the middle: one that was observed.`,
        })),
      ],
      csv: [
        "entry",
        "load",
        "bound",
        "limit",
        ...steps.flatMap((p) => [`latency_p${csvName(p)}_us`, `latency_p${csvName(p)}_trials`]),
      ],
      rows: ranked.map((r) => ({
        key: r.entry.key,
        style: styles.get(r.entry.key),
        cells: [
          { text: r.name },
          ...steps.map((p): Cell => {
            const found = medianOf(r, p);
            return {
              text: formatBound(found?.us?.median, "us", usBound(r, load)),
              note: found?.us ? (partlyCounts(r.summary, p)?.inShort ?? null) : noteOf(found?.note),
            };
          }),
        ],
        csv: [
          r.name,
          load,
          usBound(r, load) ?? "",
          r.summary?.limit,
          ...steps.flatMap((p) => [medianOf(r, p)?.us?.median, medianOf(r, p)?.us?.n]),
        ],
      })),
    },
    empty:
      lines.length > 0
        ? null
        : ended
          ? (withoutLine(ranked, lines, load) ?? "No percentile counts here: no entry is ranked.")
          : "No trial of this scenario has ended yet.",
  };
}
