import { formatNumber, formatQuantity, METRICS } from "@rigmark/metrics";
import type { EntrySummary, Outliers } from "@rigmark/results";
import { type Ranking, rankingOf, unrankedInShort, verdictInWords } from "@rigmark/results/ranking";
import type { TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import { formatSpan, LIMIT_HINT, LIMIT_WORDS, type ResultRun, rankedEntries, summaryOf } from "./shape";

const mild = (o: Outliers): number => o.low_mild + o.high_mild;
const severe = (o: Outliers): number => o.low_severe + o.high_severe;

/** `0`, `2 mild`, `1 mild, 1 severe`. */
const howMany = (o: Outliers): string =>
  [mild(o) > 0 ? `${mild(o)} mild` : null, severe(o) > 0 ? `${severe(o)} severe` : null]
    .filter(Boolean)
    .join(", ") || "0";

const sides = (o: Outliers): string | null => {
  const parts = [
    o.low_mild + o.low_severe > 0 ? `${o.low_mild + o.low_severe} low` : null,
    o.high_mild + o.high_severe > 0 ? `${o.high_mild + o.high_severe} high` : null,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : null;
};

/** Why there is no effect size: it is not ranked, there are too few blocks, or what forbids a ratio. */
const whyNoEffect = (entry: EntrySummary, { metric }: Ranking): string =>
  unrankedInShort(entry) ??
  (entry.verdict === null ? "five blocks are needed" : verdictInWords(entry.verdict, metric));

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
      const bound = ranking.boundOf(s);
      return [
        {
          key: `${scenario.id} ${entry.key}`,
          style: styles.get(entry.key),
          cells: [
            { text: name, note: unrankedInShort(s) },
            ...(many ? [{ text: plainLine(scenario.title) }] : []),
            { text: String(spread.n) },
            {
              text: ranking.write(spread.median, bound),
              note: spread.n > 1 ? formatSpan(spread.min, spread.max, ranking.unit) : null,
            },
            { text: formatQuantity(spread.cv, "ratio") },
            outliers
              ? { text: howMany(outliers), note: sides(outliers) }
              : {
                  text: "–",
                  note: ranking.ranks ? "five trials are needed" : "not counted of what is not ranked",
                },
            {
              text: entry.baseline ? "–" : formatNumber(effect).replace("-", "−"),
              note: entry.baseline ? "baseline" : effect === null ? whyNoEffect(s, ranking) : null,
            },
            { text: s.limit ? LIMIT_WORDS[s.limit] : "–" },
          ],
          csv: [
            name,
            scenario.id,
            ranking.csv,
            spread.n,
            spread.min,
            spread.median,
            spread.max,
            bound ?? "",
            s.limit,
            spread.cv,
            outliers ? mild(outliers) : null,
            outliers ? severe(outliers) : null,
            effect,
            s.unranked_reason && plainLine(s.unranked_reason),
          ],
        },
      ];
    });
  });
  if (rows.length === 0) return null;
  return {
    caption: "Spread of the trials of each entry",
    columns: [
      { title: "Entry", term: "entry" },
      ...(many ? [{ title: "Scenario", term: "scenario" as const, wrap: true as const }] : []),
      { title: "Trials", term: "valid-trial", align: "right", hint: "Valid trials that have the figure" },
      {
        title: "Median",
        align: "right",
        note: "least – greatest",
        hint: "Of the figure that the scenario is read by",
      },
      { title: "CV", align: "right", hint: METRICS.cv.meaning },
      {
        title: "Outliers",
        align: "right",
        note: "Tukey's fences",
        hint: `Mild: ${METRICS.outliers_mild.meaning} Severe: ${METRICS.outliers_severe.meaning}`,
      },
      { title: "Effect size", align: "right", note: "Hedges' g", hint: METRICS.effect_size.meaning },
      { title: "Limit", term: "bottleneck", hint: LIMIT_HINT },
    ],
    csv: [
      "entry",
      "scenario",
      "metric",
      "trials",
      "min",
      "median",
      "max",
      "bound",
      "limit",
      "cv_ratio",
      "outliers_mild",
      "outliers_severe",
      "effect_size",
      "not_ranked",
    ],
    rows,
  };
}
