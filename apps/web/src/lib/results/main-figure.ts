import { formatFactor, formatQuantity, formatRate, METRICS, type Unit } from "@rigmark/metrics";
import type { BarRow, ChartData } from "@/components/chart/chart-data";
import type { Cell, TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import {
  blockName,
  formatSpan,
  LIMIT_WORDS,
  type ResultRun,
  rankedEntries,
  summaryOf,
  trialsOf,
  VERDICT_WORDS,
  winnerOf,
} from "./shape";

export interface Figure {
  title: string;
  summary: string;
  chart: ChartData;
  table: TableModel;
  /** Why nothing is drawn. */
  empty: string | null;
}

type Ranked = ReturnType<typeof rankedEntries>[number];
const spreadOf = (ranked: Ranked, metric: "requests_per_s" | "p99_us") =>
  metric === "requests_per_s"
    ? (ranked.summary?.requests_per_s ?? null)
    : (ranked.summary?.percentiles.find((p) => p.p === 99)?.us ?? null);

const trialValue = (
  trial: ResultRun["trials"][number],
  metric: "requests_per_s" | "p99_us",
): number | null =>
  metric === "requests_per_s"
    ? (trial.result?.requests_per_s ?? null)
    : (trial.result?.latency?.percentiles.find((p) => p.p === 99)?.us ?? null);

const whyNone = ({ summary }: Ranked, metric: "requests_per_s" | "p99_us"): string => {
  if (summary?.unranked_reason) return plainLine(summary.unranked_reason);
  const note = metric === "p99_us" ? summary?.percentiles.find((p) => p.p === 99)?.note : null;
  return note ? `p99 ${plainLine(note)}` : "no valid trial";
};

/** What ranks in a scenario: throughput under closed-loop load, p99 under a fixed rate. */
export function mainFigure(run: ResultRun, scenario: string, styles: Map<string, SeriesStyle>): Figure {
  const summary = summaryOf(run, scenario);
  const metric = summary?.metric ?? "requests_per_s";
  const unit: Unit = metric === "requests_per_s" ? "per_s" : "us";
  const ranked = rankedEntries(run, scenario);
  const winner = winnerOf(run, scenario);
  const write = (value: number, lowerBound = false) =>
    metric === "requests_per_s" ? formatRate(value, lowerBound) : formatQuantity(value, unit);
  const rows = ranked.flatMap((r): BarRow[] => {
    const style = styles.get(r.entry.key);
    if (!style) return [];
    const spread = spreadOf(r, metric);
    const lowerBound = metric === "requests_per_s" && (r.summary?.lower_bound ?? false);
    return [
      {
        key: r.entry.key,
        name: r.name,
        style,
        value: spread?.median ?? null,
        figure: spread ? write(spread.median, lowerBound) : "",
        winner: r.entry.key === winner,
        reason: spread ? null : whyNone(r, metric),
        lowerBound,
        points: trialsOf(run, scenario, r.entry.key).flatMap((trial) => {
          const value = trialValue(trial, metric);
          if (value === null || !(trial.state === "valid" || trial.state === "invalid")) return [];
          return [
            {
              value,
              name: blockName(trial.block),
              text: write(value, lowerBound && trial.limit === "generator-bound"),
              valid: trial.state === "valid",
            },
          ];
        }),
      },
    ];
  });
  return {
    title: metric === "requests_per_s" ? METRICS.requests_per_s.title : METRICS.latency_p99_us.title,
    summary: summary ? plainLine(summary.sentence) : "No trial has ended yet.",
    chart: {
      kind: "bars",
      rows,
      unit: metric === "requests_per_s" ? "per_s" : "us",
      axisTitle: metric === "requests_per_s" ? "requests per second" : "p99 latency",
    },
    table: mainTable({ run, styles, ranked, metric, unit, winner }),
    empty: rows.some((row) => row.value !== null || row.points.length > 0)
      ? null
      : run.trials.some((t) => t.scenario === scenario && t.state !== "planned" && t.state !== "running")
        ? "No trial of this scenario gave a figure. The trials below say why."
        : "No trial of this scenario has ended yet.",
  };
}

interface MainTable {
  run: ResultRun;
  styles: Map<string, SeriesStyle>;
  ranked: Ranked[];
  metric: "requests_per_s" | "p99_us";
  unit: Unit;
  winner: string | null;
}

function mainTable({ run, styles, ranked, metric, unit, winner }: MainTable): TableModel {
  const baseline = run.entries.find((e) => e.baseline);
  const title = metric === "requests_per_s" ? "Throughput" : "p99 latency";
  return {
    caption: `${title} of each entry, ranked`,
    columns: [
      { title: "Entry" },
      {
        title: "Rank",
        align: "right",
        hint: "The order of the medians. A winner is named only where the verdicts show one.",
      },
      {
        title,
        align: "right",
        note: "median of trials",
        hint: "Median of the valid trials, with their range",
      },
      { title: "CV", align: "right", hint: METRICS.cv.meaning },
      {
        title: baseline ? `Ratio to ${plainLine(baseline.label)}` : "Ratio to the baseline",
        align: "right",
        hint: "Geometric mean of the ratios within blocks, with its interval",
      },
      { title: "Verdict" },
      { title: "Limit", hint: "What was saturated: the server, the tool, or neither" },
      { title: "Trials", align: "right", hint: "Valid of all that ended" },
    ],
    csv: [
      "entry",
      "rank",
      `${metric}_median`,
      `${metric}_min`,
      `${metric}_max`,
      "lower_bound",
      "cv_ratio",
      "ratio_to_baseline",
      "ratio_low",
      "ratio_high",
      "verdict",
      "limit",
      "trials_valid",
      "trials_invalid",
    ],
    rows: ranked.map((r) => {
      const s = r.summary;
      const spread = spreadOf(r, metric);
      const ratio = s?.ratio;
      const lowerBound = metric === "requests_per_s" && (s?.lower_bound ?? false);
      const write = (v: number) =>
        metric === "requests_per_s" ? formatRate(v, lowerBound) : formatQuantity(v, unit);
      const cells: Cell[] = [
        { text: r.name, note: r.entry.baseline ? "baseline" : null },
        { text: s?.rank ? String(s.rank) : "–", note: r.entry.key === winner ? "winner" : null },
        spread
          ? {
              text: write(spread.median),
              note: spread.n > 1 ? formatSpan(spread.min, spread.max, unit) : null,
            }
          : { text: "–" },
        { text: formatQuantity(spread?.cv, "ratio") },
        ratio
          ? {
              text: formatFactor(ratio.estimate),
              note: `${formatFactor(ratio.low)} – ${formatFactor(ratio.high)}`,
            }
          : { text: "–" },
        {
          text: s?.verdict ? VERDICT_WORDS[s.verdict] : r.entry.baseline ? "baseline" : "no verdict",
          note: spread ? null : whyNone(r, metric),
        },
        { text: s?.limit ? LIMIT_WORDS[s.limit] : "–" },
        { text: s ? `${s.trials_valid} of ${s.trials_valid + s.trials_invalid}` : "–" },
      ];
      const csv = [r.name, s?.rank, spread?.median, spread?.min, spread?.max, lowerBound, spread?.cv];
      const verdict = [
        ratio?.estimate,
        ratio?.low,
        ratio?.high,
        s?.verdict,
        s?.limit,
        s?.trials_valid,
        s?.trials_invalid,
      ];
      return { key: r.entry.key, style: styles.get(r.entry.key), cells, csv: [...csv, ...verdict] };
    }),
  };
}
