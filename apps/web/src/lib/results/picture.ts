import { figureOf, type Words } from "@rigmark/messages";
import type { Bound } from "@rigmark/metrics";
import type { Scenario } from "@rigmark/protocol";
import type { ReportRun, ReportSnapshot } from "@rigmark/results";
import { firstRanked, isDrawn, rankingOf } from "@rigmark/results/ranking";
import { besideFigure } from "./main-figure";
import { rankedEntries, summaryOf, winnerOf } from "./shape";

interface PictureRow {
  key: string;
  name: string;
  /** Length of the bar; null where the entry is not ranked. */
  value: number | null;
  figure: string;
  /** The bar's end stays open. */
  bound: Bound;
  /** Set in bold: only where the verdicts show a winner. */
  winner: boolean;
}
export interface Picture {
  /** The winner with its figures; null where no verdict shows one. */
  headline: string | null;
  sentence: string;
  rows: PictureRow[];
}

/** The scenario that a picture of the run is of. */
export function pictured({
  scenarios,
  summary,
}: Pick<ReportRun, "scenarios" | "summary">): Scenario | undefined {
  const first = firstRanked(summary?.scenarios ?? []);
  return scenarios.find((s) => s.id === first?.scenario) ?? scenarios[0];
}

/** What the picture of a report says of its first scenario that ranks. The first of the medians is not yet a winner. */
export function pictureOf(w: Words, snapshot: ReportSnapshot): Picture | null {
  const run = snapshot.runs[0];
  const scenario = run && pictured(run);
  if (!run || !scenario) return null;
  const summary = summaryOf(run, scenario.id);
  const winner = winnerOf(run, scenario.id);
  const ranking = rankingOf(summary?.metric ?? "requests_per_s");
  const rows = rankedEntries(run, scenario.id).map((ranked): PictureRow => {
    const { entry, summary: s } = ranked;
    const spread = ranking.spreadOf(s);
    const bound = ranking.boundOf(s);
    const figure = spread ? figureOf(w, ranking.metric, ranking.write(spread.median, bound)) : null;
    return {
      key: entry.key,
      name: entry.label,
      value: isDrawn(ranking, s) ? (spread?.median ?? null) : null,
      figure: w.join([besideFigure(w, s, ranking), figure]) || w.t("figure.notRanked"),
      bound,
      winner: entry.key === winner,
    };
  });
  const first = rows.find((row) => row.winner);
  return {
    headline: first ? `${first.name}${w.t("ui.colon")}${first.figure}` : null,
    sentence: summary?.sentence ?? run.summary?.sentence ?? snapshot.title,
    rows,
  };
}
