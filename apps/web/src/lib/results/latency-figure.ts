import { formatQuantity } from "@rigmark/metrics";
import type { PercentileLine } from "@/components/chart/chart-data";
import type { Cell } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import type { Figure } from "./main-figure";
import { formatSpan, type ResultRun, rankedEntries, summaryOf } from "./shape";

const STEPS = [50, 90, 97.5, 99, 99.9];

/** Percentiles of each entry: the median of its trials, never a mean of percentiles. */
export function latencyFigure(run: ResultRun, scenario: string, styles: Map<string, SeriesStyle>): Figure {
  const ranked = rankedEntries(run, scenario);
  const load = run.scenarios.find((s) => s.id === scenario)?.load.kind;
  const steps = STEPS.filter((p) => ranked.some((r) => r.summary?.percentiles.some((x) => x.p === p)));
  const lines = ranked.flatMap((r): PercentileLine[] => {
    const style = styles.get(r.entry.key);
    const points = (r.summary?.percentiles ?? []).flatMap((p) =>
      p.us
        ? [
            {
              p: p.p,
              us: p.us.median,
              rankable: p.rankable,
              text:
                p.us.n > 1
                  ? `${formatQuantity(p.us.median, "us")} (${formatSpan(p.us.min, p.us.max, "us")})`
                  : formatQuantity(p.us.median, "us"),
            },
          ]
        : [],
    );
    return style && points.length > 0 ? [{ key: r.entry.key, name: r.name, style, points }] : [];
  });
  const closing =
    load === "closed"
      ? "From closed-loop load: these times describe the load as much as the server and are not ranked (hollow points)."
      : "From fixed-rate load. Hollow points are not ranked.";
  return {
    title: "Latency percentiles",
    summary: `Time from request to answer, median of trials. ${closing}`,
    chart: { kind: "percentiles", lines },
    table: {
      caption: "Latency percentiles of each entry, median of trials",
      columns: [
        { title: "Entry" },
        ...steps.map((p) => ({
          title: `p${p}`,
          align: "right" as const,
          note: "median of trials",
          hint: "Of an even number of trials the lower of the two in the middle: one that was observed.",
        })),
      ],
      csv: ["entry", ...steps.map((p) => `latency_p${String(p).replace(".", "_")}_us`)],
      rows: ranked.map((r) => ({
        key: r.entry.key,
        style: styles.get(r.entry.key),
        cells: [
          { text: r.name },
          ...steps.map((p): Cell => {
            const found = r.summary?.percentiles.find((x) => x.p === p);
            return {
              text: formatQuantity(found?.us?.median ?? null, "us"),
              note: found?.us ? null : found?.note ? plainLine(found.note) : null,
            };
          }),
        ],
        csv: [r.name, ...steps.map((p) => r.summary?.percentiles.find((x) => x.p === p)?.us?.median)],
      })),
    },
    empty:
      lines.length > 0
        ? null
        : summaryOf(run, scenario)
          ? "No percentile counts here: the tool printed none, or too few requests were made to know them."
          : "No trial of this scenario has ended yet.",
  };
}
