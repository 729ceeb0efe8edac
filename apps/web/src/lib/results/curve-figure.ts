import { type Bound, formatBound, formatQuantity, METRICS } from "@rigmark/metrics";
import type { LatencyCurve } from "@rigmark/results";
import { partlyCounts } from "@rigmark/results/ranking";
import type { PercentileLine } from "@/components/chart/chart-data";
import type { Cell } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine, plural } from "../text";
import type { Figure } from "./main-figure";
import type { rankedEntries } from "./shape";

export type Ranked = ReturnType<typeof rankedEntries>[number];
export const medianOf = (r: Ranked, p: number) => r.summary?.percentiles.find((x) => x.p === p);
export const csvName = (p: number): string => String(p).replace(".", "_");

/** Percentiles of the summary. */
export const STEPS = [50, 90, 97.5, 99, 99.9];
/** Where a curve has a marker, and its table a column. */
const MARKS = [50, 90, 99, 99.9, 99.99];

/** At a fixed rate the delay of a tool at its limit is in the times: the server's own are at most these. */
export const usBound = (r: Pick<Ranked, "summary">, load: LoadKind): Bound =>
  load === "rate" && r.summary?.lower_bound ? "≤" : null;

/** As a line is labeled: its times are the tool's, too. */
export const boundName = (r: Ranked, load: LoadKind): string =>
  usBound(r, load) ? `${r.name} (${usBound(r, load)})` : r.name;

/** What kind of load the times are from: the label that goes with each of them. */
export type LoadKind = "closed" | "count" | "rate" | "knee";
const ABOUT_CLOSED =
  "From closed-loop load: these times describe the load as much as the server and are not ranked (hollow points).";
export const ABOUT: Record<LoadKind, string> = {
  closed: ABOUT_CLOSED,
  count: ABOUT_CLOSED,
  rate: "From fixed-rate load. Hollow points are not ranked.",
  knee: "From the fixed rate at which the search ended; not ranked.",
};
export const LOAD_LABEL: Record<LoadKind, string> = {
  closed: "closed loop",
  count: "closed loop",
  rate: "fixed rate",
  knee: "at the knee",
};

/** Until when the times of a scenario are counted. */
export const timeInWords = (firstByte: boolean): string =>
  `Time from request to ${firstByte ? "the first byte" : "answer"}`;
/** Of a table of such times. */
export const percentilesInWords = (firstByte: boolean): string =>
  firstByte ? `${timeInWords(true)}: percentiles of each entry` : "Latency percentiles of each entry";

/** Who is ranked and has no line, or a reader of three lines would look for the fourth; null where all have one. */
export function withoutLine(
  ranked: readonly Ranked[],
  lines: readonly PercentileLine[],
  load: LoadKind,
): string | null {
  const reasons = new Map<string, string[]>();
  for (const r of ranked) {
    if (r.summary?.unranked_reason !== null || lines.some((line) => line.key === r.entry.key)) continue;
    const why = whyNoLine(r, load);
    reasons.set(why, [...(reasons.get(why) ?? []), r.name]);
  }
  return (
    [...reasons].map(([why, names]) => `No percentile counts of ${names.join(", ")}${why}.`).join(" ") || null
  );
}

/** What is said of p50, which asks for the least: where it does not count, none does. */
function whyNoLine(r: Ranked, load: LoadKind): string {
  const median = medianOf(r, 50);
  if (median?.us || !median?.note?.startsWith(NOT_COUNTED))
    return ": the tool printed none, or too few requests were made to know them";
  if (load === "count" && median.note.endsWith("did not print it"))
    return ": the tool printed none of all the runs of a trial, and percentiles cannot be added";
  return `, not even p50: ${plainLine(median.note.slice(NOT_COUNTED.length))}`;
}
const NOT_COUNTED = "does not count: ";

/** The curve of each entry up to p99.99: the histograms of all its valid trials, added. */
export function curveFigure(
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
      text: formatBound(us, "us", usBound(r, load)),
    }));
    return [{ key: r.entry.key, name: boundName(r, load), style, points }];
  });
  const corrected = [...curves.values()].some((c) => c.corrected);
  const steps = MARKS.filter((p) => [...curves.values()].some((c) => c.points.some((x) => x.p === p)));
  return {
    title: "Latency curve",
    summary: [
      `${timeInWords(firstByte)}: the histograms of all valid trials of an entry, added. Each step to the right leaves a tenth of the requests.`,
      corrected ? "The tool added samples for requests that it could not send." : null,
      ABOUT[load],
      withoutLine(ranked, lines, load),
    ]
      .filter(Boolean)
      .join(" "),
    chart: { kind: "percentiles", lines },
    table: {
      caption: `${percentilesInWords(firstByte)}, all valid trials together, and the median of trials`,
      columns: [
        { title: "Entry", term: "entry" },
        ...steps.map((p) => ({
          title: `p${p}`,
          align: "right" as const,
          note: `${LOAD_LABEL[load]}, all trials`,
          hint: `${METRICS.latency_curve_us.meaning} Below it the median of the trials.`,
        })),
        { title: "Highest", align: "right", hint: "The longest time of any request of these trials" },
        { title: "Requests", align: "right", hint: "Latencies in the histograms, and of how many trials" },
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
              return {
                text: formatBound(at(p), "us", usBound(r, load)),
                note:
                  at(p) === undefined
                    ? plainLine(curve ? (curve.note ?? "too few requests") : "no histogram")
                    : median === null
                      ? null
                      : [
                          `median ${formatBound(median, "us", usBound(r, load))}`,
                          partlyCounts(r.summary, p)?.inShort,
                        ]
                          .filter(Boolean)
                          .join(", "),
              };
            }),
            { text: formatBound(curve?.max_us, "us", usBound(r, load)) },
            {
              text: formatQuantity(curve?.count, "count"),
              note: curve ? plural(curve.trials, "trial") : null,
            },
          ],
          csv: [
            r.name,
            load,
            usBound(r, load) ?? "",
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
