import { countedOf, type Words } from "@rigmark/messages";
import type { LatencyCurve } from "@rigmark/results";
import { latencyBound, partlyCounts } from "@rigmark/results/ranking";
import type { PercentileLine } from "@/components/chart/chart-data";
import type { Cell } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import type { Figure } from "./main-figure";
import { phrase, type rankedEntries } from "./shape";

export type Ranked = ReturnType<typeof rankedEntries>[number];
export const medianOf = (r: Ranked, p: number) => r.summary?.percentiles.find((x) => x.p === p);
export const csvName = (p: number): string => String(p).replace(".", "_");

/** Percentiles of the summary. */
export const STEPS = [50, 90, 97.5, 99, 99.9];
/** Where a curve has a marker, and its table a column. */
const MARKS = [50, 90, 99, 99.9, 99.99];

/** As a line is labeled: its times are the tool's, too. */
export function boundName({ name, summary }: Ranked): string {
  const bound = latencyBound(summary);
  return bound ? `${name} (${bound})` : name;
}

/** What kind of load the times are from: the label that goes with each of them. */
export type LoadKind = "closed" | "count" | "rate" | "knee";
const kindOf = (load: LoadKind) => (load === "count" ? "closed" : load);
export const aboutLoad = (w: Words, load: LoadKind): string => w.t(`figure.about.${kindOf(load)}`);
export const loadLabel = (w: Words, load: LoadKind): string => w.t(`figure.load.${kindOf(load)}`);

/** Until when the times of a scenario are counted. */
export const timeInWords = (w: Words, firstByte: boolean): string =>
  w.t(firstByte ? "figure.timeToFirstByte" : "figure.timeToAnswer");
/** Of a table of such times. */
export const percentilesInWords = (w: Words, firstByte: boolean): string =>
  firstByte
    ? w.t("figure.percentilesFirstByte", { time: timeInWords(w, true) })
    : w.t("figure.percentilesOfEach");

/** Who is ranked and has no line, or a reader of three lines would look for the fourth; null where all have one. */
export function withoutLine(
  w: Words,
  ranked: readonly Ranked[],
  lines: readonly PercentileLine[],
  load: LoadKind,
): string | null {
  const reasons = new Map<string, string[]>();
  for (const r of ranked) {
    if (r.summary?.unranked_reason !== null || lines.some((line) => line.key === r.entry.key)) continue;
    const why = whyNoLine(w, r, load);
    reasons.set(why, [...(reasons.get(why) ?? []), r.name]);
  }
  return (
    w.sentences(
      [...reasons].map(([why, names]) =>
        w.t("figure.noPercentile", { names: names.join(w.language === "zh" ? "、" : ", "), why }),
      ),
    ) || null
  );
}

/** What is said of p50, which asks for the least: where it does not count, none does. */
function whyNoLine(w: Words, r: Ranked, load: LoadKind): string {
  const median = medianOf(r, 50);
  const code = median?.us ? null : (median?.note_code ?? null);
  if (code === null || code === "no-valid-trial") return w.t("figure.whyNoLine.printedNone");
  if (load === "count" && code === "not-printed") return w.t("figure.whyNoLine.cannotAdd");
  return w.t("figure.whyNoLine.p50", { why: phrase(w, median?.note, median?.note_zh) ?? "" });
}

/** The curve of each entry up to p99.99: the histograms of all its valid trials, added. */
export function curveFigure(
  w: Words,
  ranked: Ranked[],
  curves: Map<string, LatencyCurve>,
  styles: Map<string, SeriesStyle>,
  load: LoadKind,
  firstByte = false,
): Figure {
  const lines = ranked.flatMap((r): PercentileLine[] => {
    const style = styles.get(r.entry.key);
    const curve = curves.get(r.entry.key);
    if (!style || !curve) return [];
    const points = curve.points.map(({ p, us }) => ({
      p,
      us,
      minor: !MARKS.includes(p),
      rankable: medianOf(r, p)?.rankable ?? false,
      text: w.bound(us, "us", latencyBound(r.summary)),
    }));
    return [{ key: r.entry.key, name: boundName(r), style, points }];
  });
  const corrected = [...curves.values()].some((c) => c.corrected);
  const steps = MARKS.filter((p) => [...curves.values()].some((c) => c.points.some((x) => x.p === p)));
  return {
    title: w.t("figure.curve"),
    summary: w.sentences([
      w.t("figure.curveSummary", { time: timeInWords(w, firstByte) }),
      corrected && w.t("figure.curveCorrected"),
      aboutLoad(w, load),
      withoutLine(w, ranked, lines, load),
    ]),
    chart: { kind: "percentiles", lines },
    table: {
      caption: w.t("figure.curveCaption", { what: percentilesInWords(w, firstByte) }),
      columns: [
        { title: w.t("figure.entry"), term: "entry" },
        ...steps.map((p) => ({
          title: `p${p}`,
          align: "right" as const,
          note: w.t("figure.curveNote", { load: loadLabel(w, load) }),
          hint: w.t("figure.curveHint", { meaning: w.metric("latency_curve_us").meaning }),
        })),
        { title: w.t("figure.highest"), align: "right", hint: w.t("figure.highestHint") },
        { title: w.t("figure.requests"), align: "right", hint: w.t("figure.requestsHint") },
      ],
      csv: [
        "entry",
        "load",
        "bound",
        "limit",
        ...MARKS.map((p) => `latency_p${csvName(p)}_us_all_trials`),
        ...STEPS.map((p) => `latency_p${csvName(p)}_us_median_of_trials`),
        "latency_max_us",
        "requests",
        "trials",
      ],
      rows: ranked.map((r) => {
        const curve = curves.get(r.entry.key);
        const at = (p: number) => curve?.points.find((x) => x.p === p)?.us;
        return {
          key: r.entry.key,
          style: styles.get(r.entry.key),
          cells: [
            { text: r.name },
            ...steps.map((p): Cell => {
              const median = medianOf(r, p)?.us?.median ?? null;
              const partly = partlyCounts(r.summary, p);
              return {
                text: w.bound(at(p), "us", latencyBound(r.summary)),
                note:
                  at(p) === undefined
                    ? curve
                      ? (phrase(w, curve.note, curve.note_zh) ?? w.t("figure.tooFewRequests"))
                      : w.t("figure.noHistogram")
                    : median === null
                      ? null
                      : w.join([
                          w.t("figure.median", { figure: w.bound(median, "us", latencyBound(r.summary)) }),
                          partly && countedOf(w, partly),
                        ]),
              };
            }),
            { text: w.bound(curve?.max_us, "us", latencyBound(r.summary)) },
            {
              text: w.quantity(curve?.count, "count"),
              note: curve ? w.t("figure.nTrials", { n: curve.trials }) : null,
            },
          ],
          csv: [
            r.name,
            load,
            latencyBound(r.summary) ?? "",
            r.summary?.limit,
            ...MARKS.map(at),
            ...STEPS.map((p) => medianOf(r, p)?.us?.median),
            curve?.max_us,
            curve?.count,
            curve?.trials,
          ],
        };
      }),
    },
    empty: null,
  };
}
