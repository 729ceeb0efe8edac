import { formatBound, formatInterval, formatQuantity, METRICS } from "@rigmark/metrics";
import type { EntrySummary } from "@rigmark/results";
import { rankInWords } from "@rigmark/results/rank";
import {
  inOneNote,
  partlyIn,
  type Ranking,
  SHARED_CEILING,
  signOf,
  verdictInWords,
} from "@rigmark/results/ranking";
import type { Cell, Row, TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import type { Ranked } from "./main-figure";
import { formatSpan, LIMIT_HINT, LIMIT_WORDS, type ResultRun } from "./shape";

/** Why an entry has no figure. */
export function whyNone({ summary }: Ranked, { metric }: Ranking): string {
  if (summary?.unranked_reason) return plainLine(summary.unranked_reason);
  const note = metric === "p99_us" ? summary?.percentiles.find((p) => p.p === 99)?.note : null;
  if (note) return `p99 ${plainLine(note)}`;
  return metric === "cpu_us_per_request" && summary && summary.trials_valid > 0
    ? "CPU time could not be read here"
    : "no valid trial";
}

interface MainTable {
  run: ResultRun;
  styles: Map<string, SeriesStyle>;
  ranked: Ranked[];
  ranking: Ranking;
  winner: string | null;
}

/** The twin of the bars: medians, ratios, verdicts with their reasons, and who was the limit. */
export function mainTable({ run, styles, ranked, ranking, winner }: MainTable): TableModel {
  const baseline = run.entries.find((e) => e.baseline);
  const title = ranking.metric === "p99_us" ? "p99 latency" : ranking.title;
  const rowOf = (r: Ranked): Row => {
    const s = r.summary;
    const spread = ranking.spreadOf(s);
    const bound = ranking.boundOf(s);
    const ratio = s?.ratio;
    const sign = s ? signOf(s) : null;
    const doubt = spread ? doubtOf(r.summary, ranking) : whyNone(r, ranking);
    const cells: Cell[] = [
      { text: r.name, note: r.entry.baseline ? "baseline" : null },
      { text: rankInWords(r.rank), note: r.entry.key === winner ? "winner" : null },
      spread
        ? {
            text: ranking.write(spread.median, bound),
            note: spread.n > 1 ? formatSpan(spread.min, spread.max, ranking.unit) : null,
          }
        : { text: "–" },
      { text: formatQuantity(spread?.cv, "ratio") },
      ratio
        ? {
            text: formatBound(ratio.estimate, "factor", sign),
            note: formatInterval(ratio, sign),
          }
        : { text: "–" },
      {
        text: s?.verdict
          ? verdictInWords(s.verdict, ranking.metric)
          : r.entry.baseline
            ? "baseline"
            : ranking.ranks
              ? "no verdict"
              : "not ranked",
        note: doubt,
      },
      { text: s?.limit ? LIMIT_WORDS[s.limit] : "–", note: s?.shared_ceiling ? SHARED_CEILING : null },
      { text: s ? `${s.trials_valid} of ${s.trials_valid + s.trials_invalid}` : "–" },
    ];
    return {
      key: r.entry.key,
      style: styles.get(r.entry.key),
      cells,
      csv: [
        r.name,
        r.rank?.from,
        r.rank?.to,
        spread?.median,
        spread?.min,
        spread?.max,
        bound ?? "",
        s?.shared_ceiling ?? false,
        spread?.cv,
        ratio?.estimate,
        ratio?.low,
        ratio?.high,
        sign ?? "",
        s?.verdict,
        doubt ?? "",
        s?.limit,
        s?.trials_valid,
        s?.trials_invalid,
      ],
    };
  };
  return {
    caption: `${title} of each entry, ${ranked.some((r) => r.rank) ? "ranked" : "not ranked"}`,
    columns: [
      { title: "Entry", term: "entry" },
      {
        title: "Rank",
        term: "rank",
        align: "right",
        hint: "As far as verdicts show it: 1–2 where no difference was shown between two, – where none was shown at all.",
      },
      { title, align: "right", note: "median of trials", hint: ranking.meaning },
      { title: "CV", align: "right", hint: METRICS.cv.meaning },
      {
        title: baseline ? `Ratio to ${plainLine(baseline.label)}` : "Ratio to the baseline",
        term: "ratio",
        note: "95 % interval",
        noteTerm: "confidence-interval",
        align: "right",
        hint: METRICS.ratio_to_baseline.meaning,
      },
      { title: "Verdict", term: "verdict" },
      { title: "Limit", term: "bottleneck", hint: LIMIT_HINT },
      { title: "Trials", term: "valid-trial", align: "right", hint: "Valid of all that ended" },
    ],
    csv: [
      "entry",
      "rank",
      "rank_to",
      ...["median", "min", "max"].map((of) => `${ranking.csv}_${of}`),
      "bound",
      "shared_ceiling",
      "cv_ratio",
      "ratio_to_baseline",
      "ratio_low",
      "ratio_high",
      "ratio_bound",
      "verdict",
      "why",
      "limit",
      "trials_valid",
      "trials_invalid",
    ],
    rows: ranked.map(rowOf),
  };
}

/** Why it is not compared or not ranked; that it did not sustain the rate; that not every trial counts. */
function doubtOf(summary: EntrySummary | undefined, ranking: Ranking) {
  const partly = partlyIn(ranking, summary);
  return (
    inOneNote([
      summary?.verdict === "not-comparable"
        ? plainLine(summary.sentence)
        : summary?.unranked_reason
          ? plainLine(summary.unranked_reason)
          : summary?.not_sustained?.words,
      partly && `p${ranking.percentile} ${plainLine(partly.note)}`,
    ]) || null
  );
}
