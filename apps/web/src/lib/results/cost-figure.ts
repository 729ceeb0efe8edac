import { limitOf, type Words } from "@rigmark/messages";
import { ofTrialIn } from "@rigmark/results/ranking";
import type { BarRow } from "@/components/chart/chart-data";
import type { SeriesStyle } from "../series-style";
import type { Figure, Ranked } from "./main-figure";
import { blockName, formatRange, type ResultRun, rankedEntries, trialsOf } from "./shape";

/** Why an entry has no cost, as the catalogue calls it. */
const NO_COST = {
  "not-measured": "notMeasured",
  "no-valid-trial": "noValidTrial",
  search: "searchHasNoCpu",
  "too-few-requests": "tooFewAnswered",
  "not-read": "cpuNotRead",
} as const;
type NoCost = keyof typeof NO_COST;

export const noCostInWords = (w: Words, why: NoCost): string => w.t(`figure.${NO_COST[why]}`);

const whyNone = ({ summary }: Ranked): NoCost => summary?.no_cpu_code ?? "not-measured";

/** What a request cost the server: CPU time and memory. */
export function costFigure(
  w: Words,
  run: ResultRun,
  scenario: string,
  styles: Map<string, SeriesStyle>,
): Figure {
  const { title, meaning } = w.metric("server_cpu_us_per_request");
  const ranked = rankedEntries(run, scenario);
  const whyInWords = (r: Ranked): string => noCostInWords(w, whyNone(r));
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
        reason: spread ? null : whyInWords(r),
        reasonShort: spread || whyNone(r) !== "search" ? null : w.t("figure.searchHasNoCpuShort"),
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
              note: !cpu ? whyInWords(r) : cpu.n > 1 ? formatRange(w, cpu.min, cpu.max, "us") : null,
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
      : rows.length > 0 && ranked.every((r) => whyNone(r) === "not-measured")
        ? w.t("figure.noTrialOfScenario")
        : ranked.some((r) => whyNone(r) === "search")
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
