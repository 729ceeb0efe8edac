import { axisOf, countedOf, rankedMetric, unrankedShort, type Words } from "@rigmark/messages";
import type { EntrySummary } from "@rigmark/results";
import { isDrawn, ofTrialIn, partlyIn, type Ranking, rankingOf, trialBound } from "@rigmark/results/ranking";
import type { BarRow, ChartData } from "@/components/chart/chart-data";
import type { TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import { mainTable, whyNone, whyNoneShort } from "./main-table";
import { blockName, type ResultRun, rankedEntries, summaryOf, trialsOf, winnerOf } from "./shape";

export interface Figure {
  title: string;
  summary: string;
  chart: ChartData;
  table: TableModel;
  /** Why nothing is drawn. */
  empty: string | null;
}

export type Ranked = ReturnType<typeof rankedEntries>[number];

/** What a scenario is read by: throughput, p99 under a fixed rate, what a request costs the server, or time to the first byte. */
export function mainFigure(
  w: Words,
  run: ResultRun,
  scenario: string,
  styles: Map<string, SeriesStyle>,
): Figure {
  const summary = summaryOf(run, scenario);
  const load = run.scenarios.find((s) => s.id === scenario)?.load.kind;
  const ranking = rankingOf(summary?.metric ?? "requests_per_s");
  const ranked = rankedEntries(run, scenario);
  const winner = winnerOf(run, scenario);
  const rows = ranked.flatMap((r): BarRow[] => {
    const style = styles.get(r.entry.key);
    if (!style) return [];
    const spread = ranking.spreadOf(r.summary);
    // Who answers wrongly may be the fastest of all: what is not ranked stands in the table, and sets no scale.
    const drawn = isDrawn(ranking, r.summary) ? spread : null;
    const bound = ranking.boundOf(r.summary);
    return [
      {
        key: r.entry.key,
        name: r.name,
        style,
        value: drawn?.median ?? null,
        figure: drawn ? ranking.write(drawn.median, bound) : "",
        winner: r.entry.key === winner,
        reason: drawn ? null : whyNone(w, r, ranking),
        reasonShort: drawn ? null : whyNoneShort(w, r, ranking),
        bound,
        note: drawn && besideFigure(w, r.summary, ranking),
        points: (spread && !drawn ? [] : trialsOf(run, scenario, r.entry.key)).flatMap((trial) => {
          const own = ofTrialIn(r.summary, trial);
          const value = ranking.ofTrial(trial, own);
          if (value === null || !(trial.state === "valid" || trial.state === "invalid")) return [];
          return [
            {
              value,
              name: blockName(w, trial.block),
              text: ranking.write(value, trialBound(own)),
              doubt:
                trial.state === "invalid"
                  ? w.t("figure.invalid")
                  : own?.counts
                    ? null
                    : w.t("figure.doesNotCount"),
            },
          ];
        }),
      },
    ];
  });
  return {
    title: rankedMetric(w, ranking.metric, load).title,
    summary: summary
      ? w.sentences([w.sentence(plainLine(summary.sentence)), ceilingInWords(w, ranked)])
      : w.t("figure.noTrialEnded"),
    chart: { kind: "bars", rows, unit: ranking.unit, axisTitle: axisOf(w, ranking.metric) },
    table: mainTable({ w, load, run, styles, ranked, ranking, winner }),
    empty:
      rows.some((row) => row.points.length > 0) || ranked.some((r) => ranking.spreadOf(r.summary))
        ? null
        : run.trials.some((t) => t.scenario === scenario && t.state !== "planned" && t.state !== "running")
          ? w.t("figure.noTrialGaveFigure")
          : w.t("figure.noTrialOfScenario"),
  };
}

/** The few words that a figure must not stand without. */
export function besideFigure(w: Words, summary: EntrySummary | undefined, ranking: Ranking): string | null {
  const partly = partlyIn(ranking, summary);
  return (
    w.join([
      unrankedShort(w, summary),
      summary?.not_sustained ? w.t("figure.rateNotSustained") : partly && countedOf(w, partly),
      summary?.shared_ceiling && w.t("figure.sharedCeiling"),
    ]) || null
  );
}

/** Bars of one length look like servers of one speed; here they are the tool's. */
function ceilingInWords(w: Words, ranked: readonly Ranked[]): string | null {
  const names = ranked.flatMap((r) => (r.summary?.shared_ceiling ? [r.name] : []));
  return names.length < 2 ? null : w.t("figure.ceilingNames", { names: w.list(names) });
}
