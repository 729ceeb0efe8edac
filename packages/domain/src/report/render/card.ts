import { formatFactor, formatQuantity, formatRate, UNKNOWN } from "@rigmark/metrics";
import type { EntrySummary, ScenarioSummary } from "../../run/summary";
import { winnerKeyOf } from "../../run/winner";
import type { ReportRun, ReportSnapshot } from "../snapshot";

/** One line of a results table, with its numbers as they are written everywhere. */
export interface CardRow {
  entryKey: string;
  label: string;
  /** The order of the medians; no verdict. */
  rank: number | null;
  /** The ranking metric as the median of trials, with unit; `≥` where it is a lower bound. */
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
  sentence: string;
  /** Who was shown to be faster than every rival: the key of a row. */
  winnerKey: string | null;
  /** What stands in the winner's place, in a few words. */
  noWinner: string | null;
  rows: CardRow[];
}

const percentile = (entry: EntrySummary, p: number) => entry.percentiles.find((x) => x.p === p)?.us ?? null;

function rowOf(run: ReportRun, metric: ScenarioSummary["metric"], entry: EntrySummary): CardRow {
  const rate = entry.requests_per_s;
  const p99 = percentile(entry, 99);
  const ranks = metric === "requests_per_s" ? rate : p99;
  const unit = metric === "requests_per_s" ? "per_s" : "us";
  const { ratio } = entry;
  return {
    entryKey: entry.entry_key,
    label: run.entries.find((e) => e.key === entry.entry_key)?.label ?? entry.entry_key.slice(0, 8),
    rank: entry.rank,
    value: unit === "per_s" ? formatRate(rate?.median, entry.lower_bound) : formatQuantity(p99?.median, "us"),
    range: ranks ? `${formatQuantity(ranks.min, unit)} – ${formatQuantity(ranks.max, unit)}` : UNKNOWN,
    spread: formatQuantity(ranks?.cv, "ratio"),
    ratio: ratio
      ? `${formatFactor(ratio.estimate)} (${formatFactor(ratio.low)} – ${formatFactor(ratio.high)})`
      : UNKNOWN,
    p99: formatQuantity(p99?.median, "us"),
    cpuPerRequest: formatQuantity(entry.cpu_us_per_request?.median, "us"),
    memory: formatQuantity(entry.rss_peak_bytes?.max, "bytes"),
    note: entry.unranked_reason ?? "",
    amount: ranks?.median ?? null,
  };
}

/** What a picture, a table or a badge shows of a report: a card a scenario. */
export function cardsOf(snapshot: ReportSnapshot): Card[] {
  return snapshot.runs.flatMap((run) =>
    (run.summary?.scenarios ?? []).map((s): Card => {
      const scenario = run.scenarios.find((x) => x.id === s.scenario);
      return {
        scenario: s.scenario,
        title: scenario?.title ?? s.scenario,
        tool: scenario?.tool ?? "",
        metric: s.metric,
        sentence: s.sentence,
        winnerKey: winnerKeyOf(s),
        noWinner: s.no_winner === undefined ? "no verdict" : s.no_winner,
        rows: s.entries.map((entry) => rowOf(run, s.metric, entry)),
      };
    }),
  );
}
