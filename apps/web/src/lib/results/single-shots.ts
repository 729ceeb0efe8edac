import type { Words } from "@rigmark/messages";
import { trialRateBound } from "@rigmark/results/ranking";
import type { TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { plainLine } from "../text";
import { failureKinds } from "./failure-kinds";
import { blockName, type ResultRun, trialsOf } from "./shape";

/** Of a load given as a count: what its first tool runs said, one a trial. Null where there are none. */
export function singleShots(
  w: Words,
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
            { text: plainLine(entry.label), note: blockName(w, trial.block) },
            { text: w.bound(shot.requests_per_s, "per_s", trialRateBound(trial)) },
            { text: w.quantity(shot.duration_us, "us") },
            { text: w.quantity(mean, "us"), note: ci === null ? null : `± ${w.quantity(ci, "us")}` },
            { text: w.quantity(p99, "us") },
            { text: w.quantity(outliers, "count") },
            { text: w.quantity(shot.requests, "count") },
            { text: w.quantity(shot.failures.total, "count"), note: failureKinds(w, shot.failures) },
          ],
          csv: [
            plainLine(entry.label),
            trial.block + 1,
            "closed",
            trialRateBound(trial) ?? "",
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
    caption: w.t("figure.shots"),
    columns: [
      { title: w.t("figure.entry"), term: "entry" },
      { title: w.t("figure.rate"), align: "right", hint: w.metric("requests_per_s").meaning },
      { title: w.t("figure.took"), align: "right" },
      {
        title: w.t("figure.meanLatency"),
        align: "right",
        note: w.t("figure.load.closed"),
        noteTerm: "closed-loop",
        hint: w.metric("single_shot_mean_us").meaning,
      },
      {
        title: "p99",
        align: "right",
        note: w.t("figure.load.closed"),
        noteTerm: "closed-loop",
        hint: w.metric("latency_p99_us").meaning,
      },
      { title: w.t("figure.outliers"), align: "right", hint: w.metric("latency_outliers").meaning },
      { title: w.t("figure.requests"), align: "right" },
      { title: w.t("figure.failed"), align: "right" },
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
