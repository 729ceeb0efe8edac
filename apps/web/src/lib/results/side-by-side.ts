import type { EntrySummary, ReportRun } from "@rigmark/results";
import { LIMIT_WORDS, partlyIn, type Ranking, rankingOf, SHARED_CEILING } from "@rigmark/results/ranking";
import { plainLine } from "../text";
import { formatSpan, rankedEntries, summaryOf } from "./shape";

/** What several runs measured under one load: an entry a line, a run a column. Read, and not ranked. */
export interface SideBySide {
  key: string;
  title: string;
  /** What the figures are. */
  metric: string;
  rows: { key: string; name: string; cells: (SideCell | null)[] }[];
}
interface SideCell {
  figure: string;
  /** Lowest and highest of the trials. */
  range: string | null;
  note: string | null;
}

type Run = Pick<ReportRun, "entries" | "scenarios" | "summary" | "trials">;

/** Equal where the same load was put on; only then figures stand in one table. */
function loadKey(run: Run, scenario: Run["scenarios"][number]): string {
  const { id, tool, workload, path, load, payload, in_flight, latency_until } = scenario;
  const metric = summaryOf(run, id)?.metric;
  return JSON.stringify([id, tool, workload, path, load, payload, in_flight, latency_until, metric]);
}

/** What a figure must not stand without; the reasons in full are with its run. */
function noteOf(of: EntrySummary | undefined, ranking: Ranking): string | null {
  if (!of) return null;
  return (
    [
      of.unranked_reason === null ? null : "not ranked",
      of.not_sustained?.words,
      partlyIn(ranking, of)?.note ?? null,
      of.limit ? LIMIT_WORDS[of.limit] : null,
      of.shared_ceiling ? SHARED_CEILING : null,
    ]
      .filter(Boolean)
      .join(", ") || null
  );
}

/** One table a load, in the order of the first run that has it; loads that only one run had stand with that run alone. */
export function sideBySide(runs: readonly Run[]): SideBySide[] {
  const tables = new Map<string, SideBySide & { places: Set<number> }>();
  for (const [place, run] of runs.entries())
    for (const scenario of run.scenarios) {
      const summary = summaryOf(run, scenario.id);
      if (!summary) continue;
      const ranking = rankingOf(summary.metric, scenario.load.kind);
      const key = loadKey(run, scenario);
      const title = plainLine(scenario.title);
      const table = tables.get(key) ?? { key, title, metric: ranking.title, rows: [], places: new Set() };
      tables.set(key, table);
      table.places.add(place);
      for (const { entry, name, summary: of } of rankedEntries(run, scenario.id)) {
        const row = table.rows.find((r) => r.key === entry.key) ?? {
          key: entry.key,
          name,
          cells: runs.map(() => null),
        };
        if (!table.rows.includes(row)) table.rows.push(row);
        const spread = ranking.spreadOf(of);
        row.cells[place] = {
          figure: ranking.write(spread?.median, ranking.boundOf(of)),
          range: spread && spread.n > 1 ? formatSpan(spread.min, spread.max, ranking.unit) : null,
          note: noteOf(of, ranking),
        };
      }
    }
  return [...tables.values()].filter((t) => t.places.size > 1).map(({ places: _, ...table }) => table);
}
