import { formatQuantity, formatRate, METRICS } from "@rigmark/metrics";
import type { TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import { blockName, type ResultRun, trialsOf } from "./shape";

/** Of a load given as a count: what its first shots said, one a trial. Null where there are none. */
export function singleShots(
  run: Pick<ResultRun, "entries" | "trials" | "scenarios">,
  scenario: string,
  styles: Map<string, SeriesStyle>,
): TableModel | null {
  const rows = run.entries.flatMap((entry) =>
    trialsOf(run, scenario, entry.key).flatMap((trial) => {
      const shot = trial.single_shot;
      if (!shot) return [];
      const mean = shot.latency?.mean_us ?? null;
      const p99 = shot.latency?.percentiles.find((p) => p.p === 99)?.us ?? null;
      const ci = shot.latency?.mean_ci95_us ?? null;
      const outliers = shot.latency?.outliers ?? null;
      return [
        {
          key: trial.trial_id,
          style: styles.get(entry.key),
          cells: [
            { text: plainLine(entry.label), note: blockName(trial.block) },
            { text: formatRate(shot.requests_per_s, trial.limit === "generator-bound") },
            { text: formatQuantity(shot.duration_us, "us") },
            { text: formatQuantity(mean, "us"), note: ci === null ? null : `± ${formatQuantity(ci, "us")}` },
            { text: formatQuantity(p99, "us") },
            { text: formatQuantity(outliers, "count") },
            { text: formatQuantity(shot.requests, "count") },
            { text: formatQuantity(shot.failures.total, "count") },
          ],
          csv: [
            plainLine(entry.label),
            trial.block + 1,
            "closed",
            trial.limit === "generator-bound" ? "≥" : "",
            shot.requests_per_s,
            shot.duration_us,
            mean,
            ci,
            p99,
            outliers,
            shot.requests,
            shot.failures.total,
          ],
        },
      ];
    }),
  );
  if (rows.length === 0) return null;
  return {
    caption: "Single shots",
    columns: [
      { title: "Entry", term: "entry" },
      { title: "Rate", align: "right", hint: METRICS.requests_per_s.meaning },
      { title: "Took", align: "right" },
      {
        title: "Mean latency",
        align: "right",
        note: "closed loop",
        noteTerm: "closed-loop",
        hint: METRICS.single_shot_mean_us.meaning,
      },
      {
        title: "p99",
        align: "right",
        note: "closed loop",
        noteTerm: "closed-loop",
        hint: METRICS.latency_p99_us.meaning,
      },
      { title: "Outliers", align: "right", hint: METRICS.latency_outliers.meaning },
      { title: "Requests", align: "right" },
      { title: "Failed", align: "right" },
    ],
    csv: [
      "entry",
      "block",
      "load",
      "requests_per_s_bound",
      "requests_per_s",
      "duration_us",
      "mean_us",
      "mean_ci95_us",
      "p99_us",
      "outliers",
      "requests",
      "failed",
    ],
    rows,
  };
}
