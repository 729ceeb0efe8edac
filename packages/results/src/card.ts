import { formatBound, formatInterval, formatQuantity, UNKNOWN } from "@rigmark/metrics";
import { entriesOf, rankInWords, rankOf } from "./rank";
import {
  inOneNote,
  LIMIT_WORDS,
  partlyIn,
  type Ranking,
  rankingOf,
  SHARED_CEILING,
  signOf,
  verdictInWords,
} from "./ranking";
import type { ReportRun, ReportSnapshot } from "./view/snapshot";
import type { EntrySummary, ScenarioSummary } from "./view/summary";
import { winnerKeyOf } from "./winner";

/** One line of a results table, with its numbers as they are written everywhere. */
export interface CardRow {
  entryKey: string;
  label: string;
  /** Its rank, where verdicts show one: `1`, `1–2`. */
  rank: string | null;
  /** Whether its figures are compared with others'. */
  compared: boolean;
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
  /** Place of its run in the report. */
  run: number;
  scenario: string;
  title: string;
  tool: string;
  metric: ScenarioSummary["metric"];
  /** Behind a value where nothing else says what it is. */
  suffix: string;
  sentence: string;
  /** Who was shown to be faster than every rival: the key of a row. */
  winnerKey: string | null;
  /** Not where nobody is ranked by design: such a card is in no badge while there is another. */
  ranks: boolean;
  /** What stands in the winner's place, in a few words. */
  noWinner: string | null;
  rows: CardRow[];
}

const percentile = (entry: EntrySummary, p: number) => entry.percentiles.find((x) => x.p === p)?.us ?? null;

/** What is read in one go with a figure, and against whom it stands. */
interface Place {
  run: ReportRun;
  ranking: Ranking;
  baselineKey: string | undefined;
}

/** The verdict, or why there is no rank and no comparison; whether the rate was kept; who was the limit. */
function noteOf(entry: EntrySummary, { ranking, baselineKey }: Place): string {
  const partly = partlyIn(ranking, entry);
  const compared = baselineKey !== undefined && entry.entry_key !== baselineKey && !entry.unranked_reason;
  const verdict = entry.verdict ? verdictInWords(entry.verdict, ranking.metric) : "no verdict";
  return inOneNote([
    entry.unranked_reason,
    compared ? `${verdict}${entry.verdict === "not-comparable" ? `: ${entry.sentence}` : ""}` : null,
    entry.verdict === "not-comparable" ? null : entry.not_sustained?.words,
    partly && `p${ranking.percentile} ${partly.note}`,
    entry.limit ? LIMIT_WORDS[entry.limit] : null,
    entry.shared_ceiling ? SHARED_CEILING : null,
  ]);
}

function rowOf(place: Place, summary: ScenarioSummary, entry: EntrySummary): CardRow {
  const { run, ranking, baselineKey } = place;
  const p99 = percentile(entry, 99);
  const ranks = ranking.spreadOf(entry);
  const { unit } = ranking;
  const { ratio } = entry;
  const rank = rankOf(summary, entry, baselineKey);
  const bound = signOf(entry);
  return {
    entryKey: entry.entry_key,
    label: run.entries.find((e) => e.key === entry.entry_key)?.label ?? entry.entry_key.slice(0, 8),
    rank: rank && rankInWords(rank),
    compared: entry.unranked_reason === null,
    value: ranking.write(ranks?.median, ranking.boundOf(entry)),
    range: ranks ? `${formatQuantity(ranks.min, unit)} – ${formatQuantity(ranks.max, unit)}` : UNKNOWN,
    spread: formatQuantity(ranks?.cv, "ratio"),
    ratio: ratio
      ? `${formatBound(ratio.estimate, "factor", bound)} (${formatInterval(ratio, bound)})`
      : UNKNOWN,
    p99: formatQuantity(p99?.median, "us"),
    cpuPerRequest: formatQuantity(entry.cpu_us_per_request?.median, "us"),
    memory: formatQuantity(entry.rss_peak_bytes?.max, "bytes"),
    note: noteOf(entry, place),
    amount: ranks?.median ?? null,
  };
}

/** What a picture, a table or a badge shows of a report: a card a scenario, run after run. */
export function cardsOf(snapshot: ReportSnapshot): Card[] {
  return snapshot.runs.flatMap((run, place) =>
    (run.summary?.scenarios ?? []).map((s): Card => {
      const scenario = run.scenarios.find((x) => x.id === s.scenario);
      const ranking = rankingOf(s.metric, scenario?.load.kind);
      const baselineKey = run.entries.find((e) => e.baseline)?.key;
      const at: Place = { run, ranking, baselineKey };
      return {
        run: place,
        scenario: s.scenario,
        title: scenario?.title ?? s.scenario,
        tool: scenario?.tool ?? "",
        metric: s.metric,
        suffix: ranking.suffix,
        ranks: ranking.ranks,
        sentence: s.sentence,
        winnerKey: winnerKeyOf(s),
        noWinner: s.no_winner === undefined ? "no verdict" : s.no_winner,
        rows: entriesOf(s, run.entries).map((entry) => rowOf(at, s, entry)),
      };
    }),
  );
}
