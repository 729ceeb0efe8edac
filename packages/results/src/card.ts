import { countedOf, figureOf, inOneCell, limitOf, verdictOf, type Words } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import { UNKNOWN, type Unit } from "@rigmark/metrics";
import { entriesOf, rankInWords, rankOf } from "./rank";
import { partlyIn, type Ranking, rankingOf, signOf } from "./ranking";
import type { ReportRun, ReportSnapshot } from "./view/snapshot";
import type { EntrySummary, ScenarioSummary, Spread } from "./view/summary";
import { winnerKeyOf } from "./winner";

/** One line of a results table, with its numbers as they are written everywhere. */
export interface CardRow {
  entryKey: string;
  label: string;
  /** Whether the others are compared with it. */
  baseline: boolean;
  /** Its rank, where verdicts show one: `1`, `1–2`. */
  rank: string | null;
  /** Whether its figures are compared with others'. */
  compared: boolean;
  /** The ranking metric as the median of trials, with unit; `≥` where it is a lower bound, `≤` of a latency. */
  value: string;
  /** Of its trials; unknown of a single one. */
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
  /** A value where nothing else says what it is; what is unknown stays a dash. */
  named: (value: string) => string;
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
  w: Words;
  run: ReportRun;
  ranking: Ranking;
  baselineKey: string | undefined;
}

/** The verdict, or why there is no rank and no comparison; whether the rate was kept; who was the bottleneck. */
function noteOf(entry: EntrySummary, { w, ranking, baselineKey }: Place): string {
  const partly = partlyIn(ranking, entry);
  const compared = baselineKey !== undefined && entry.entry_key !== baselineKey && !entry.unranked_reason;
  const verdict = entry.verdict ? verdictOf(w, entry.verdict, ranking.metric) : w.t("figure.noVerdict");
  const told = entry.verdict === "not-comparable";
  const late = entry.not_sustained;
  return inOneCell(w, [
    w.phraseIn(entry.unranked_reason ?? "", entry.unranked_reason_zh),
    compared && `${verdict}${told ? `${w.t("ui.colon")}${entry.sentence}` : ""}`,
    !told && late && w.phraseIn(late.words, late.words_zh),
    partly &&
      w.t("figure.percentileNote", {
        p: ranking.percentile ?? 0,
        note: partly.note ? w.phraseIn(partly.note, partly.note_zh) : countedOf(w, partly),
      }),
    entry.limit && limitOf(w, entry.limit),
    entry.shared_ceiling && w.t("figure.sharedCeiling"),
  ]);
}

/** One figure where both ends are written alike. */
function rangeOf(w: Words, { n, min, max }: Spread, unit: Unit): string {
  if (n < 2) return UNKNOWN;
  const [least, most] = [w.quantity(min, unit), w.quantity(max, unit)];
  return least === most ? least : `${least} – ${most}`;
}

function rowOf(place: Place, summary: ScenarioSummary, entry: EntrySummary): CardRow {
  const { w, run, ranking, baselineKey } = place;
  const p99 = percentile(entry, 99);
  const ranks = ranking.spreadOf(entry);
  const { unit } = ranking;
  const { ratio } = entry;
  const rank = rankOf(summary, entry, baselineKey);
  const bound = signOf(entry);
  return {
    entryKey: entry.entry_key,
    label: run.entries.find((e) => e.key === entry.entry_key)?.label ?? entry.entry_key.slice(0, 8),
    baseline: entry.entry_key === baselineKey,
    rank: rank && rankInWords(rank),
    compared: entry.unranked_reason === null,
    value: ranking.write(ranks?.median, ranking.boundOf(entry)),
    range: ranks ? rangeOf(w, ranks, unit) : UNKNOWN,
    spread: w.quantity(ranks?.cv, "ratio"),
    ratio: ratio ? `${w.bound(ratio.estimate, "factor", bound)} (${w.interval(ratio, bound)})` : UNKNOWN,
    p99: w.quantity(p99?.median, "us"),
    cpuPerRequest: w.quantity(entry.cpu_us_per_request?.median, "us"),
    memory: w.quantity(entry.rss_peak_bytes?.max, "bytes"),
    note: noteOf(entry, place),
    amount: ranks?.median ?? null,
  };
}

/** What a picture, a table or a badge shows of a report: a card a scenario, run after run. */
export function cardsOf(snapshot: ReportSnapshot, w: Words = wordsIn("en")): Card[] {
  return snapshot.runs.flatMap((run, place) =>
    (run.summary?.scenarios ?? []).map((s): Card => {
      const scenario = run.scenarios.find((x) => x.id === s.scenario);
      const ranking = rankingOf(s.metric);
      const baselineKey = run.entries.find((e) => e.baseline)?.key;
      const at: Place = { w, run, ranking, baselineKey };
      return {
        run: place,
        scenario: s.scenario,
        title: w.title(scenario?.title ?? s.scenario),
        tool: scenario?.tool ?? "",
        metric: s.metric,
        named: (value) => (value === UNKNOWN ? value : figureOf(w, s.metric, value)),
        ranks: ranking.ranks,
        sentence: s.sentence,
        winnerKey: winnerKeyOf(s),
        noWinner:
          s.no_winner === undefined
            ? w.t("figure.noVerdict")
            : s.no_winner && w.phraseIn(s.no_winner, s.no_winner_zh),
        rows: entriesOf(s, run.entries).map((entry) => rowOf(at, s, entry)),
      };
    }),
  );
}
