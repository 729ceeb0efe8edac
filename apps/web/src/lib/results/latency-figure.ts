import { countedOf, type Words } from "@rigmark/messages";
import type { LatencyCurve } from "@rigmark/results";
import { latencyBound, partlyCounts, untilFirstByte } from "@rigmark/results/ranking";
import type { PercentileLine } from "@/components/chart/chart-data";
import type { Cell } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import {
  aboutLoad,
  boundName,
  csvName,
  curveFigure,
  type LoadKind,
  loadLabel,
  medianOf,
  percentilesInWords,
  type Ranked,
  STEPS,
  timeInWords,
  withoutLine,
} from "./curve-figure";
import type { Figure } from "./main-figure";
import { formatRange, phrase, type ResultRun, rankedEntries, summaryOf } from "./shape";

const HINTS: Record<number, "50" | "90" | "97_5" | "99" | "99_9"> = {
  50: "50",
  90: "90",
  97.5: "97_5",
  99: "99",
  99.9: "99_9",
};

function hintOf(w: Words, p: number, firstByte: boolean): string {
  const of = HINTS[p];
  if (!of) return "";
  if (!firstByte) return w.metric(`latency_p${of}_us`).meaning;
  const meaning = w.t(`figure.firstByteHint.${of}`);
  return w.t(p === 99 ? "figure.firstByteHint.ranked" : "figure.firstByteHint.closed", { meaning });
}

/**
 * Latency of each entry: the curve of all its trials together where the tool gives histograms, else the percentiles
 * that it printed, as the median of trials. Never a mean of percentiles.
 */
export function latencyFigure(
  w: Words,
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
    ? curveFigure(w, ranked, mine, styles, load, firstByte)
    : printedFigure(w, ranked, styles, { load, firstByte }, summaryOf(run, scenario) !== undefined);
}

function printedFigure(
  w: Words,
  ranked: Ranked[],
  styles: Map<string, SeriesStyle>,
  { load, firstByte }: { load: LoadKind; firstByte: boolean },
  ended: boolean,
): Figure {
  const steps = STEPS.filter((p) => ranked.some((r) => medianOf(r, p)));
  const lines = ranked.flatMap((r): PercentileLine[] => {
    const style = styles.get(r.entry.key);
    const bound = latencyBound(r.summary);
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
                  ? `${w.bound(p.us.median, "us", bound)} (${formatRange(w, p.us.min, p.us.max, "us")})`
                  : w.bound(p.us.median, "us", bound),
            },
          ]
        : [],
    );
    return style && points.length > 0 ? [{ key: r.entry.key, name: boundName(r), style, points }] : [];
  });
  return {
    title: w.t("figure.percentiles"),
    summary: w.sentences([
      w.t("figure.percentilesSummary", { time: timeInWords(w, firstByte) }),
      aboutLoad(w, load),
      withoutLine(w, ranked, lines, load),
    ]),
    chart: { kind: "percentiles", lines },
    table: {
      caption: w.t("figure.percentilesCaption", { what: percentilesInWords(w, firstByte) }),
      columns: [
        { title: w.t("figure.entry"), term: "entry" },
        ...steps.map((p) => ({
          title: `p${p}`,
          align: "right" as const,
          note: w.t("figure.percentilesNote", { load: loadLabel(w, load) }),
          hint: w.t("figure.percentilesHint", { meaning: hintOf(w, p, firstByte) }),
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
            const partly = partlyCounts(r.summary, p);
            return {
              text: w.bound(found?.us?.median, "us", latencyBound(r.summary)),
              note: found?.us ? partly && countedOf(w, partly) : phrase(w, found?.note, found?.note_zh),
            };
          }),
        ],
        csv: [
          r.name,
          load,
          latencyBound(r.summary) ?? "",
          r.summary?.limit,
          ...steps.flatMap((p) => [medianOf(r, p)?.us?.median, medianOf(r, p)?.us?.n]),
        ],
      })),
    },
    empty:
      lines.length > 0
        ? null
        : ended
          ? (withoutLine(w, ranked, lines, load) ?? w.t("figure.noPercentileAtAll"))
          : w.t("figure.noTrialOfScenario"),
  };
}
