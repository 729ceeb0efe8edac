import { limitOf, type Words } from "@rigmark/messages";
import type { EntrySummary, TrialView } from "@rigmark/results";
import { ofTrialIn } from "@rigmark/results/ranking";
import type { BarRow } from "@/components/chart/chart-data";
import type { SeriesStyle } from "../series-style";
import type { Figure } from "./main-figure";
import { blockName, formatSpan, type ResultRun, rankedEntries, trialsOf } from "./shape";

/** Why an entry has no cost, as the catalogue calls it. */
export type NoCost = "notMeasured" | "noValidTrial" | "searchHasNoCpu" | "tooFewAnswered" | "cpuNotRead";

export const whyNoCost = (
  summary: EntrySummary | undefined,
  trials: TrialView[],
  search: boolean,
): NoCost => {
  if (!summary || summary.trials_valid + summary.trials_invalid === 0) return "notMeasured";
  if (summary.trials_valid === 0) return "noValidTrial";
  if (search) return "searchHasNoCpu";
  return trials.some((t) => t.state === "valid" && (t.resources?.server_cpu_us ?? null) !== null)
    ? "tooFewAnswered"
    : "cpuNotRead";
};

/** What a request cost the server: CPU time and memory. */
export function costFigure(
  w: Words,
  run: ResultRun,
  scenario: string,
  styles: Map<string, SeriesStyle>,
): Figure {
  const { title, meaning } = w.metric("server_cpu_us_per_request");
  const ranked = rankedEntries(run, scenario);
  const search = run.scenarios.find((s) => s.id === scenario)?.load.kind === "knee";
  const whyNone = (r: (typeof ranked)[number]): NoCost =>
    whyNoCost(r.summary, trialsOf(run, scenario, r.entry.key), search);
  const rows = ranked.flatMap((r): BarRow[] => {
    const style = styles.get(r.entry.key);
    const spread = r.summary?.cpu_us_per_request ?? null;
    if (!style) return [];
    return [
      {
        key: r.entry.key,
        name: r.name,
        style,
        value: spread?.median ?? null,
        figure: w.quantity(spread?.median, "us"),
        winner: false,
        reason: spread ? null : w.t(`figure.${whyNone(r)}`),
        reasonShort: null,
        bound: null,
        note: null,
        points: trialsOf(run, scenario, r.entry.key).flatMap((trial) => {
          const value = ofTrialIn(r.summary, trial)?.cpu_us_per_request ?? null;
          if (value === null) return [];
          return [
            {
              value,
              name: blockName(w, trial.block),
              text: w.quantity(value, "us"),
              doubt: trial.state === "valid" ? null : w.t("figure.invalid"),
            },
          ];
        }),
      },
    ];
  });
  return {
    title,
    summary: w.t("figure.lessIsBetter", { meaning }),
    chart: { kind: "bars", rows, unit: "us", axisTitle: w.t("figure.cpuPerRequest") },
    table: {
      caption: w.t("figure.cpuCaption"),
      columns: [
        { title: w.t("figure.entry"), term: "entry" },
        {
          title: w.t("figure.cpuPerRequest"),
          term: "cpu-time-per-request",
          align: "right",
          hint: meaning,
        },
        { title: w.t("figure.memoryPeak"), align: "right", hint: w.metric("server_rss_peak_bytes").meaning },
        {
          title: w.t("figure.bytesPerResponse"),
          align: "right",
          hint: w.metric("bytes_per_response").meaning,
        },
        { title: w.t("figure.limit"), term: "bottleneck", hint: w.t("figure.limitHint") },
      ],
      csv: [
        "entry",
        "server_cpu_us_per_request_median",
        "server_cpu_us_per_request_min",
        "server_cpu_us_per_request_max",
        "server_rss_peak_bytes",
        "bytes_per_response",
        "limit",
      ],
      rows: ranked.map((r) => {
        const cpu = r.summary?.cpu_us_per_request ?? null;
        const rss = r.summary?.rss_peak_bytes ?? null;
        const bytes = r.summary?.bytes_per_request ?? null;
        return {
          key: r.entry.key,
          style: styles.get(r.entry.key),
          cells: [
            { text: r.name },
            {
              text: w.quantity(cpu?.median, "us"),
              note: !cpu
                ? w.t(`figure.${whyNone(r)}`)
                : cpu.n > 1
                  ? formatSpan(w, cpu.min, cpu.max, "us")
                  : null,
            },
            { text: w.quantity(rss?.max, "bytes") },
            { text: w.quantity(bytes?.median, "bytes") },
            { text: r.summary?.limit ? limitOf(w, r.summary.limit) : "–" },
          ],
          csv: [r.name, cpu?.median, cpu?.min, cpu?.max, rss?.max, bytes?.median, r.summary?.limit],
        };
      }),
    },
    empty: rows.some((row) => row.value !== null || row.points.length > 0)
      ? null
      : rows.length > 0 && ranked.every((r) => whyNone(r) === "notMeasured")
        ? w.t("figure.noTrialOfScenario")
        : ranked.some((r) => whyNone(r) === "searchHasNoCpu")
          ? w.t("figure.cpuIs", { why: w.t("figure.searchHasNoCpu") })
          : whyNothing(w, rows),
  };
}

/** One reason where all entries share it; else each with its own. */
function whyNothing(w: Words, rows: readonly Pick<BarRow, "name" | "reason">[]): string {
  const reasons = [...new Set(rows.map((row) => row.reason ?? w.t("figure.noFigure")))];
  const said =
    reasons.length === 1
      ? reasons
      : rows.map((row) =>
          w.t("figure.reasonOf", { name: row.name, why: row.reason ?? w.t("figure.noFigure") }),
        );
  const sentences = said.map((why) => w.t("figure.reasonAlone", { why }));
  return w.sentences(sentences).replace(/^./, (c) => (reasons.length === 1 ? c.toUpperCase() : c));
}
