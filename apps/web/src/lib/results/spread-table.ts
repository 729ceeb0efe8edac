import { limitOf, unrankedShort, verdictOf, type Words } from "@rigmark/messages";
import { formatNumber } from "@rigmark/metrics";
import type { EntrySummary, Outliers } from "@rigmark/results";
import { type Ranking, rankingOf } from "@rigmark/results/ranking";
import type { TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import { formatRange, type ResultRun, rankedEntries, summaryOf } from "./shape";

const mild = (o: Outliers): number => o.low_mild + o.high_mild;
const severe = (o: Outliers): number => o.low_severe + o.high_severe;

/** `0`, `2 mild`, `1 mild, 1 severe`. */
const howMany = (w: Words, o: Outliers): string =>
  w.join([
    mild(o) > 0 && w.t("figure.mild", { n: mild(o) }),
    severe(o) > 0 && w.t("figure.severe", { n: severe(o) }),
  ]) || "0";

const sides = (w: Words, o: Outliers): string | null => {
  const [low, high] = [o.low_mild + o.low_severe, o.high_mild + o.high_severe];
  return (
    w.join([low > 0 && w.t("figure.low", { n: low }), high > 0 && w.t("figure.high", { n: high })]) || null
  );
};

/** Why there is no effect size: it is not ranked, there are too few blocks, or what forbids a ratio. */
const whyNoEffect = (w: Words, entry: EntrySummary, { metric }: Ranking): string =>
  unrankedShort(w, entry) ??
  (entry.verdict === null ? w.t("figure.fiveBlocks") : verdictOf(w, entry.verdict, metric));

/** How the trials of each entry lie around their median. It belongs to the trials and to no headline. */
export function spreadTable(
  w: Words,
  run: Pick<ResultRun, "entries" | "scenarios" | "summary">,
  styles: Map<string, SeriesStyle>,
): TableModel | null {
  const many = run.scenarios.length > 1;
  const rows = run.scenarios.flatMap((scenario) => {
    const ranking = rankingOf(summaryOf(run, scenario.id)?.metric ?? "requests_per_s");
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
            { text: name, note: unrankedShort(w, s) },
            ...(many ? [{ text: w.title(plainLine(scenario.title)) }] : []),
            { text: String(spread.n) },
            {
              text: ranking.write(spread.median, bound),
              note: spread.n > 1 ? formatRange(w, spread.min, spread.max, ranking.unit) : null,
            },
            { text: w.quantity(spread.cv, "ratio") },
            outliers
              ? { text: howMany(w, outliers), note: sides(w, outliers) }
              : {
                  text: "–",
                  note: ranking.ranks ? w.t("figure.fiveTrials") : w.t("figure.outliersNotCounted"),
                },
            {
              text: entry.baseline ? "–" : formatNumber(effect).replace("-", "−"),
              note: entry.baseline
                ? w.t("figure.baseline")
                : effect === null
                  ? whyNoEffect(w, s, ranking)
                  : null,
            },
            { text: s.limit ? limitOf(w, s.limit) : "–" },
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
    caption: w.t("figure.spreadCaption"),
    columns: [
      { title: w.t("figure.entry"), term: "entry" },
      ...(many ? [{ title: w.t("figure.scenario"), term: "scenario" as const, wrap: true as const }] : []),
      {
        title: w.t("figure.trials"),
        term: "valid-trial",
        align: "right",
        hint: w.t("figure.spreadTrialsHint"),
      },
      {
        title: w.t("figure.medianTitle"),
        align: "right",
        note: w.t("figure.medianNote"),
        hint: w.t("figure.medianHint"),
      },
      { title: w.t("figure.cv"), align: "right", hint: w.metric("cv").meaning },
      {
        title: w.t("figure.outliers"),
        align: "right",
        note: w.t("figure.tukey"),
        hint: w.t("figure.outliersHint", {
          mild: w.metric("outliers_mild").meaning,
          severe: w.metric("outliers_severe").meaning,
        }),
      },
      {
        title: w.t("figure.effectSize"),
        align: "right",
        note: w.t("figure.hedges"),
        hint: w.metric("effect_size").meaning,
      },
      { title: w.t("figure.limit"), term: "bottleneck", hint: w.t("figure.limitHint") },
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
