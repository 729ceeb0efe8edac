import { countedOf, limitOf, rankedMetric, verdictOf, type Words } from "@rigmark/messages";
import type { PlanEntry } from "@rigmark/protocol";
import type { EntrySummary, ReportRun } from "@rigmark/results";
import { loadKey } from "@rigmark/results/load-key";
import { changesBetween, matchSeries } from "@rigmark/results/match-series";
import { partlyIn, type Ranking, rankingOf, signOf } from "@rigmark/results/ranking";
import { plainLine } from "../text";
import { changesInWords } from "./entry-changes";
import { type Heat, heatOf } from "./heat";
import { formatRange, phrase, rankedEntries, summaryOf } from "./shape";

/** What several runs measured under one load: a series a line, a run a column. Read, and not ranked. */
export interface SideBySide {
  key: string;
  title: string;
  /** What the figures are. */
  metric: string;
  /** `entry` is that of the first of the runs. */
  rows: { entry: PlanEntry; name: string; cells: (SideCell | null)[] }[];
}
interface SideCell {
  /** To the baseline of its run, or that it is the baseline; null where nothing is compared. */
  ratio: { text: string; interval: string | null; verdict: string | null; heat: Heat } | null;
  figure: string;
  /** Lowest and highest of the trials. */
  range: string | null;
  note: string | null;
}

type Run = Pick<ReportRun, "entries" | "scenarios" | "summary" | "trials">;

const keyOf = (run: Run, scenario: Run["scenarios"][number]): string =>
  loadKey(scenario, summaryOf(run, scenario.id)?.metric ?? "");

/** What a figure must not stand without; the reasons in full are with its run. */
function noteOf(w: Words, of: EntrySummary | undefined, ranking: Ranking): string | null {
  if (!of) return null;
  const partly = partlyIn(ranking, of);
  return (
    w.join([
      of.unranked_reason !== null && w.t("figure.notRanked"),
      phrase(w, of.not_sustained?.words, of.not_sustained?.words_zh),
      partly && (phrase(w, partly.note, partly.note_zh) ?? countedOf(w, partly)),
      of.limit && limitOf(w, of.limit),
      of.shared_ceiling && w.t("figure.sharedCeiling"),
    ]) || null
  );
}

/** Across hosts only ratios are read: each to what the same host did. */
function ratioOf(
  w: Words,
  run: Run,
  entry: PlanEntry,
  of: EntrySummary | undefined,
  ranking: Ranking,
): SideCell["ratio"] {
  if (run.entries.length < 2) return null;
  if (entry.baseline)
    return { text: w.t("figure.baseline"), interval: null, verdict: null, heat: heatOf(null) };
  if (!of?.ratio) return null;
  const bound = signOf(of);
  return {
    text: w.bound(of.ratio.estimate, "factor", bound),
    interval: w.interval(of.ratio, bound),
    verdict: of.verdict && verdictOf(w, of.verdict, ranking.metric),
    heat: heatOf(of.verdict, of.ratio.estimate),
  };
}

/** What is not as it was in the first run of the line. */
const changesOf = (w: Words, first: PlanEntry, entry: PlanEntry) => [
  entry.label !== first.label && w.t("report.runs.otherLabel", { name: w.name(plainLine(entry.label)) }),
  changesInWords(w, changesBetween(first, entry)),
];

/** One table a load, in the order of the first run that has it; loads that only one run had stand with that run alone. */
export function sideBySide(w: Words, runs: readonly Run[]): SideBySide[] {
  const series = matchSeries(runs);
  const tables = new Map<string, SideBySide & { places: Set<number> }>();
  for (const [place, run] of runs.entries())
    for (const scenario of run.scenarios) {
      const summary = summaryOf(run, scenario.id);
      if (!summary) continue;
      const ranking = rankingOf(summary.metric);
      const key = keyOf(run, scenario);
      const title = w.title(plainLine(scenario.title));
      const table = tables.get(key) ?? {
        key,
        title,
        metric: rankedMetric(w, summary.metric, scenario.load.kind).title,
        rows: [],
        places: new Set(),
      };
      tables.set(key, table);
      table.places.add(place);
      for (const { entry, name, summary: of } of rankedEntries(run, scenario.id)) {
        const same = series.find(({ keys }) => keys[place] === entry.key)?.keys ?? [];
        const row = table.rows.find((r) => same.includes(r.entry.key)) ?? {
          entry,
          name,
          cells: runs.map(() => null),
        };
        if (!table.rows.includes(row)) table.rows.push(row);
        const spread = ranking.spreadOf(of);
        row.cells[place] = {
          ratio: ratioOf(w, run, entry, of, ranking),
          figure: ranking.write(spread?.median, ranking.boundOf(of)),
          range: spread && spread.n > 1 ? formatRange(w, spread.min, spread.max, ranking.unit) : null,
          note: w.join([...changesOf(w, row.entry, entry), noteOf(w, of, ranking)]) || null,
        };
      }
    }
  return [...tables.values()].filter((t) => t.places.size > 1).map(({ places: _, ...table }) => table);
}
