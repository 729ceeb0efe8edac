import {
  bare,
  countedOf,
  inOneCell,
  limitOf,
  rankedMetric,
  unrankedShort,
  verdictOf,
  type Words,
} from "@rigmark/messages";
import type { EntrySummary } from "@rigmark/results";
import { rankInWords } from "@rigmark/results/rank";
import { partlyIn, type Ranking, signOf } from "@rigmark/results/ranking";
import type { Cell, Row, TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import type { Ranked } from "./main-figure";
import { formatRange, phrase, type ResultRun, unrankedWhy } from "./shape";

/** Why an entry has no figure. */
export function whyNone(w: Words, { summary }: Ranked, { metric }: Ranking): string {
  const unranked = unrankedWhy(w, summary);
  if (unranked) return unranked;
  const p99 = metric === "p99_us" ? summary?.percentiles.find((p) => p.p === 99) : null;
  const note = phrase(w, p99?.note, p99?.note_zh);
  if (note) return w.t("figure.percentileNote", { p: 99, note });
  return metric === "cpu_us_per_request" && summary && summary.trials_valid > 0
    ? w.t("figure.cpuNotRead")
    : w.t("figure.noValidTrial");
}

/** The same where there is little room; null where nothing shorter says it. */
export function whyNoneShort(w: Words, { summary }: Ranked, { percentile }: Ranking): string | null {
  switch (summary?.unranked_code) {
    case "no-valid-trial":
      return w.t("figure.noValidTrial");
    case "percentile-does-not-count":
      return w.t("figure.percentileNote", { p: percentile ?? 0, note: w.t("figure.doesNotCount") });
    default:
      return unrankedShort(w, summary);
  }
}

interface MainTable {
  w: Words;
  load: string | undefined;
  run: ResultRun;
  styles: Map<string, SeriesStyle>;
  ranked: Ranked[];
  ranking: Ranking;
  winner: string | null;
}

/** The twin of the bars: medians, ratios, verdicts with their reasons, and who was the bottleneck. */
export function mainTable({ w, load, run, styles, ranked, ranking, winner }: MainTable): TableModel {
  const baseline = run.entries.find((e) => e.baseline);
  const metric = rankedMetric(w, ranking.metric, load);
  const title = ranking.metric === "p99_us" ? w.t("figure.p99Latency") : metric.title;
  const rowOf = (r: Ranked): Row => {
    const s = r.summary;
    const spread = ranking.spreadOf(s);
    const bound = ranking.boundOf(s);
    const ratio = s?.ratio;
    const sign = s ? signOf(s) : null;
    const doubt = spread ? doubtOf(w, s, partlyIn(ranking, s), ranking) : whyNone(w, r, ranking);
    const cells: Cell[] = [
      { text: r.name, note: r.entry.baseline ? w.t("figure.baseline") : null },
      { text: rankInWords(r.rank), note: r.entry.key === winner ? w.t("ui.winner") : null },
      spread
        ? {
            text: ranking.write(spread.median, bound),
            note: spread.n > 1 ? formatRange(w, spread.min, spread.max, ranking.unit) : null,
          }
        : { text: "–" },
      { text: w.quantity(spread?.cv, "ratio") },
      ratio
        ? {
            text: w.bound(ratio.estimate, "factor", sign),
            note: w.interval(ratio, sign),
          }
        : { text: "–" },
      {
        text: s?.verdict
          ? verdictOf(w, s.verdict, ranking.metric)
          : r.entry.baseline
            ? w.t("figure.baseline")
            : ranking.ranks
              ? w.t("figure.noVerdict")
              : w.t("figure.notRanked"),
        note: doubt,
      },
      {
        text: s?.limit ? limitOf(w, s.limit) : "–",
        note: s?.shared_ceiling ? w.t("figure.sharedCeiling") : null,
      },
      { text: s ? w.t("figure.ofAll", { n: s.trials_valid, all: s.trials_valid + s.trials_invalid }) : "–" },
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
        bare(doubt ?? ""),
        s?.limit,
        s?.trials_valid,
        s?.trials_invalid,
      ],
    };
  };
  return {
    caption: w.t(ranked.some((r) => r.rank) ? "figure.captionRanked" : "figure.captionNotRanked", { title }),
    columns: [
      { title: w.t("figure.entry"), term: "entry" },
      {
        title: w.t("figure.rank"),
        term: "rank",
        align: "right",
        hint: w.t("figure.rankHint"),
      },
      { title, align: "right", note: w.t("figure.medianOfTrials"), hint: metric.meaning },
      { title: w.t("figure.cv"), align: "right", hint: w.metric("cv").meaning },
      {
        title: baseline
          ? w.t("figure.ratioTo", { name: plainLine(baseline.label) })
          : w.t("figure.ratioToBaseline"),
        term: "ratio",
        note: w.t("figure.interval95"),
        noteTerm: "confidence-interval",
        align: "right",
        hint: w.metric("ratio_to_baseline").meaning,
      },
      { title: w.t("figure.verdict"), term: "verdict" },
      { title: w.t("figure.limit"), term: "bottleneck", hint: w.t("figure.limitHint") },
      { title: w.t("figure.trials"), term: "valid-trial", align: "right", hint: w.t("figure.trialsHint") },
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

interface Doubted extends Pick<EntrySummary, "verdict" | "unranked_reason" | "not_sustained"> {
  unranked_reason_zh?: string | null;
  sentence: string | null;
}

/** Why it is not compared or not ranked; that it did not sustain the rate; that not every trial counts. */
export function doubtOf(
  w: Words,
  of: Doubted | undefined,
  partly: ReturnType<typeof partlyIn>,
  { percentile }: Pick<Ranking, "percentile">,
): string | null {
  return (
    inOneCell(w, [
      of?.verdict === "not-comparable"
        ? w.sentence(plainLine(of.sentence ?? ""))
        : (unrankedWhy(w, of) ?? phrase(w, of?.not_sustained?.words, of?.not_sustained?.words_zh)),
      partly &&
        w.t("figure.percentileNote", {
          p: percentile ?? 0,
          note: phrase(w, partly.note, partly.note_zh) ?? countedOf(w, partly),
        }),
    ]) || null
  );
}
