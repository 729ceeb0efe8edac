import { formatBound, formatQuantity, UNKNOWN } from "@rigmark/metrics";
import { type Ranking, rankingOf, ratioBound, SHARED_CEILING, verdictInWords } from "../../run/ranking";
import type { EntrySummary, ScenarioSummary } from "../../run/summary";
import { winnerKeyOf } from "../../run/winner";
import type { ReportRun, ReportSnapshot } from "../snapshot";

/** One line of a results table, with its numbers as they are written everywhere. */
export interface CardRow {
  entryKey: string;
  label: string;
  /** The order of the medians; no verdict. */
  rank: number | null;
  /** The ranking metric as the median of trials, with unit; `≥` where it is a lower bound, `≤` of a latency. */
  value: string;
  range: string;
  spread: string;
  ratio: string;
  p99: string;
  cpuPerRequest: string;
  memory: string;
  note: string;
  /** The ranking metric as a number, for bars; null when unknown. */
  amount: number | null;
}
export interface Card {
  scenario: string;
  title: string;
  tool: string;
  metric: ScenarioSummary["metric"];
  /** Behind a value where nothing else says what it is. */
  suffix: string;
  sentence: string;
  /** Who was shown to be faster than every rival: the key of a row. */
  winnerKey: string | null;
  /** What stands in the winner's place, in a few words. */
  noWinner: string | null;
  rows: CardRow[];
}

const percentile = (entry: EntrySummary, p: number) => entry.percentiles.find((x) => x.p === p)?.us ?? null;

/** Why it has no rank, why it cannot be compared, and that others met the same ceiling. */
function noteOf(entry: EntrySummary, ranking: Ranking): string {
  const why = entry.verdict === "not-comparable" && !entry.unranked_reason ? entry.sentence : null;
  return [
    entry.unranked_reason,
    why && `${verdictInWords("not-comparable", ranking.metric)}: ${why}`,
    entry.shared_ceiling ? SHARED_CEILING : null,
  ]
    .filter(Boolean)
    .join("; ");
}

function rowOf(
  run: ReportRun,
  ranking: Ranking,
  entry: EntrySummary,
  baseline: EntrySummary | undefined,
): CardRow {
  const p99 = percentile(entry, 99);
  const ranks = ranking.spreadOf(entry);
  const { unit } = ranking;
  const { ratio } = entry;
  return {
    entryKey: entry.entry_key,
    label: run.entries.find((e) => e.key === entry.entry_key)?.label ?? entry.entry_key.slice(0, 8),
    rank: entry.rank,
    value: ranking.write(ranks?.median, ranking.boundOf(entry)),
    range: ranks ? `${formatQuantity(ranks.min, unit)} – ${formatQuantity(ranks.max, unit)}` : UNKNOWN,
    spread: formatQuantity(ranks?.cv, "ratio"),
    ratio: ratio
      ? `${formatBound(ratio.estimate, "factor", ratioBound(ranking, entry, baseline))} (${formatQuantity(ratio.low, "factor")} – ${formatQuantity(ratio.high, "factor")})`
      : UNKNOWN,
    p99: formatQuantity(p99?.median, "us"),
    cpuPerRequest: formatQuantity(entry.cpu_us_per_request?.median, "us"),
    memory: formatQuantity(entry.rss_peak_bytes?.max, "bytes"),
    note: noteOf(entry, ranking),
    amount: ranks?.median ?? null,
  };
}

/** What a picture, a table or a badge shows of a report: a card a scenario. */
export function cardsOf(snapshot: ReportSnapshot): Card[] {
  return snapshot.runs.flatMap((run) =>
    (run.summary?.scenarios ?? []).map((s): Card => {
      const scenario = run.scenarios.find((x) => x.id === s.scenario);
      const ranking = rankingOf(s.metric, scenario?.load.kind);
      const baseKey = run.entries.find((e) => e.baseline)?.key;
      const baseline = s.entries.find((e) => e.entry_key === baseKey);
      return {
        scenario: s.scenario,
        title: scenario?.title ?? s.scenario,
        tool: scenario?.tool ?? "",
        metric: s.metric,
        suffix: ranking.suffix,
        sentence: s.sentence,
        winnerKey: winnerKeyOf(s),
        noWinner: s.no_winner === undefined ? "no verdict" : s.no_winner,
        rows: s.entries.map((entry) => rowOf(run, ranking, entry, baseline)),
      };
    }),
  );
}
