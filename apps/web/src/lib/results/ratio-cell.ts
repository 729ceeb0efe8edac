import { verdictOf, type Words } from "@rigmark/messages";
import type { EntryChange } from "@rigmark/results/match-series";
import { type Ranking, rankingOf, signOf } from "@rigmark/results/ranking";
import { type CellCompared, hasBaseline, type ScenarioCompared } from "./compared";
import { changesInWords } from "./entry-changes";
import { type Heat, heatOf } from "./heat";
import { doubtOf } from "./main-table";

export interface RatioCell {
  heat: Heat;
  /** `1.24 ×`, `baseline`, or a dash. */
  ratio: string;
  /** `1.18 to 1.30`. */
  interval: string | null;
  /** The median with its unit. */
  figure: string | null;
  /** The verdict, or that there is none. */
  words: string;
  /** Why there is none, and what the figure must not stand without. */
  doubt: string | null;
  /** What of the entry is not as in the first run that has it. */
  changed: string | null;
}

/** A cell of a run's row as it is written everywhere on the page. */
export function ratioCell(
  w: Words,
  metric: ScenarioCompared["metric"],
  cells: ScenarioCompared["rows"][number]["cells"],
  place: number,
  changed?: readonly EntryChange[],
): RatioCell {
  const cell = cells[place] ?? null;
  const none = { heat: heatOf(null), ratio: "–", interval: null };
  if (!cell) return { ...none, figure: null, words: "not in this run", doubt: null, changed: null };
  const ranking = rankingOf(metric);
  const known = {
    figure: cell.median === null ? null : ranking.write(cell.median, ranking.boundOf(cell)),
    doubt: doubtOf(w, cell, cell.partly, ranking),
    changed: changesInWords(w, changed),
  };
  if (cell.baseline) return { ...none, ...known, ratio: "baseline", words: "" };
  if (!hasBaseline(cells)) return { ...none, ...known, words: "this run lacks the baseline" };
  const words = cell.verdict ? verdictOf(w, cell.verdict, metric) : withoutVerdict(w, cell, ranking);
  if (!cell.ratio) return { ...none, ...known, words };
  const bound = signOf(cell);
  return {
    ...known,
    heat: heatOf(cell.verdict, cell.ratio.estimate),
    ratio: w.bound(cell.ratio.estimate, "factor", bound),
    interval: w.interval(cell.ratio, bound),
    words,
  };
}

/** Where no other reason is known there are too few blocks. */
function withoutVerdict(w: Words, cell: CellCompared, { ranks }: Ranking): string {
  if (!ranks) return w.t("figure.notRanked");
  const blocks = cell.unranked_reason === null ? cell.blocks_in_common : null;
  return blocks === null ? w.t("figure.noVerdict") : w.t("figure.overview.inCommon", { n: blocks });
}
