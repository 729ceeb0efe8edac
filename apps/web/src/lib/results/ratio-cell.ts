import { verdictOf, type Words } from "@rigmark/messages";
import { rankingOf, signOf } from "@rigmark/results/ranking";
import { plainLine } from "../text";
import { type CellCompared, hasBaseline, type ScenarioCompared } from "./compared";

/** How a cell of the heat map is colored; what it means stands in it as well. */
export type RatioTone = "faster" | "slower" | "even" | "none";

export interface RatioCell {
  tone: RatioTone;
  /** `1.24 ×`, `baseline`, or a dash. */
  ratio: string;
  /** `1.18 to 1.30`. */
  interval: string | null;
  /** The median with its unit. */
  figure: string | null;
  /** The verdict, or why there is none. */
  words: string;
}

const TONES: Partial<Record<NonNullable<CellCompared["verdict"]>, RatioTone>> = {
  faster: "faster",
  slower: "slower",
  "no-difference": "even",
};

/** A cell of a run's row as it is written everywhere on the page. */
export function ratioCell(
  w: Words,
  metric: ScenarioCompared["metric"],
  cells: ScenarioCompared["rows"][number]["cells"],
  place: number,
): RatioCell {
  const cell = cells[place] ?? null;
  const none = { tone: "none", ratio: "–", interval: null, figure: null } as const;
  if (!cell) return { ...none, words: "not in this run" };
  const ranking = rankingOf(metric);
  const figure = cell.median === null ? null : ranking.write(cell.median, ranking.boundOf(cell));
  const why = cell.unranked_reason === null ? null : plainLine(cell.unranked_reason);
  if (cell.baseline) return { ...none, ratio: "baseline", figure, words: why ?? "" };
  if (!hasBaseline(cells)) return { ...none, figure, words: "this run lacks the baseline" };
  if (!cell.ratio) return { ...none, figure, words: why ?? w.t("figure.noVerdict") };
  const bound = signOf(cell);
  return {
    tone: (cell.verdict && TONES[cell.verdict]) ?? "none",
    ratio: w.bound(cell.ratio.estimate, "factor", bound),
    interval: w.interval(cell.ratio, bound),
    figure,
    words: cell.verdict ? verdictOf(w, cell.verdict, metric) : w.t("figure.noVerdict"),
  };
}
