import { rankingOf } from "@rigmark/domain/ranking";
import type { Outliers } from "@rigmark/domain/views";
import { formatNumber, formatQuantity, METRICS } from "@rigmark/metrics";
import type { TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import { type ResultRun, rankedEntries, summaryOf } from "./shape";

const mild = (o: Outliers): number => o.low_mild + o.high_mild;
const severe = (o: Outliers): number => o.low_severe + o.high_severe;

const sides = (o: Outliers): string | null => {
  const parts = [
    o.low_mild + o.low_severe > 0 ? `${o.low_mild + o.low_severe} low` : null,
    o.high_mild + o.high_severe > 0 ? `${o.high_mild + o.high_severe} high` : null,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : null;
};

/** How the trials of each entry lie around their median. It belongs to the trials and to no headline. */
export function spreadTable(
  run: Pick<ResultRun, "entries" | "scenarios" | "summary">,
  styles: Map<string, SeriesStyle>,
): TableModel | null {
  const many = run.scenarios.length > 1;
  const rows = run.scenarios.flatMap((scenario) => {
    const ranking = rankingOf(summaryOf(run, scenario.id)?.metric ?? "requests_per_s", scenario.load.kind);
    return rankedEntries(run, scenario.id).flatMap(({ entry, name, summary: s }) => {
      const spread = ranking.spreadOf(s);
      if (!s || !spread) return [];
      const { outliers, effect } = s;
      const write = (value: number) => formatQuantity(value, ranking.unit);
      return [
        {
          key: `${scenario.id} ${entry.key}`,
          style: styles.get(entry.key),
          cells: [
            { text: name },
            ...(many ? [{ text: plainLine(scenario.title) }] : []),
            { text: String(spread.n) },
            { text: write(spread.min) },
            { text: write(spread.median) },
            { text: write(spread.max) },
            { text: formatQuantity(spread.cv, "ratio") },
            outliers ? { text: String(mild(outliers)), note: sides(outliers) } : { text: "–" },
            { text: outliers ? String(severe(outliers)) : "–" },
            {
              text: entry.baseline ? "–" : formatNumber(effect),
              note: entry.baseline ? "baseline" : effect === null ? "five blocks are needed" : null,
            },
          ],
          csv: [
            name,
            scenario.id,
            ranking.csv,
            spread.n,
            spread.min,
            spread.median,
            spread.max,
            spread.cv,
            outliers ? mild(outliers) : null,
            outliers ? severe(outliers) : null,
            effect,
          ],
        },
      ];
    });
  });
  if (rows.length === 0) return null;
  return {
    caption: "Spread of the trials of each entry",
    columns: [
      { title: "Entry" },
      ...(many ? [{ title: "Scenario" }] : []),
      { title: "Trials", align: "right", hint: "Valid trials that have the figure" },
      { title: "Least", align: "right" },
      { title: "Median", align: "right" },
      { title: "Greatest", align: "right" },
      { title: "CV", align: "right", hint: METRICS.cv.meaning },
      { title: "Mild outliers", align: "right", hint: METRICS.outliers_mild.meaning },
      { title: "Severe outliers", align: "right", hint: METRICS.outliers_severe.meaning },
      { title: "Effect size", align: "right", note: "Hedges' g", hint: METRICS.effect_size.meaning },
    ],
    csv: [
      "entry",
      "scenario",
      "metric",
      "trials",
      "min",
      "median",
      "max",
      "cv_ratio",
      "outliers_mild",
      "outliers_severe",
      "effect_size",
    ],
    rows,
  };
}
