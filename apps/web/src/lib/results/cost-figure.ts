import { formatQuantity, METRICS } from "@rigmark/metrics";
import type { EntrySummary, TrialView } from "@rigmark/results";
import type { BarRow } from "@/components/chart/chart-data";
import { CPU_NOT_READ, SEARCH_HAS_NO_CPU } from "../load-words";
import type { SeriesStyle } from "../series-style";
import type { Figure } from "./main-figure";
import {
  blockName,
  formatSpan,
  LIMIT_HINT,
  LIMIT_WORDS,
  type ResultRun,
  rankedEntries,
  trialsOf,
} from "./shape";

export const TOO_FEW_ANSWERED = "too few requests for their connections; measure for longer";

export const whyNoCost = (
  summary: EntrySummary | undefined,
  trials: TrialView[],
  search: boolean,
): string => {
  if (!summary || summary.trials_valid + summary.trials_invalid === 0) return "not measured";
  if (summary.trials_valid === 0) return "no valid trial";
  if (search) return SEARCH_HAS_NO_CPU;
  return trials.some((t) => t.state === "valid" && (t.resources?.server_cpu_us ?? null) !== null)
    ? TOO_FEW_ANSWERED
    : CPU_NOT_READ;
};

/** What a request cost the server: CPU time and memory. */
export function costFigure(run: ResultRun, scenario: string, styles: Map<string, SeriesStyle>): Figure {
  const ranked = rankedEntries(run, scenario);
  const search = run.scenarios.find((s) => s.id === scenario)?.load.kind === "knee";
  const whyNone = (r: (typeof ranked)[number]): string =>
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
        figure: formatQuantity(spread?.median, "us"),
        winner: false,
        reason: spread ? null : whyNone(r),
        bound: null,
        note: null,
        points: trialsOf(run, scenario, r.entry.key).flatMap((trial) => {
          const own = r.summary?.trials.find((t) => t.trial_id === trial.trial_id);
          const value = own?.cpu_us_per_request ?? null;
          if (value === null) return [];
          return [
            {
              value,
              name: blockName(trial.block),
              text: formatQuantity(value, "us"),
              doubt: trial.state === "valid" ? null : "invalid",
            },
          ];
        }),
      },
    ];
  });
  return {
    title: METRICS.server_cpu_us_per_request.title,
    summary: `${METRICS.server_cpu_us_per_request.meaning} Less is better.`,
    chart: { kind: "bars", rows, unit: "us", axisTitle: "CPU per request" },
    table: {
      caption: "What the server used, by entry",
      columns: [
        { title: "Entry", term: "entry" },
        {
          title: "CPU per request",
          term: "cpu-time-per-request",
          align: "right",
          hint: METRICS.server_cpu_us_per_request.meaning,
        },
        { title: "Memory, peak", align: "right", hint: METRICS.server_rss_peak_bytes.meaning },
        { title: "Bytes per response", align: "right", hint: METRICS.bytes_per_response.meaning },
        { title: "Limit", term: "bottleneck", hint: LIMIT_HINT },
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
              text: formatQuantity(cpu?.median, "us"),
              note: !cpu ? whyNone(r) : cpu.n > 1 ? formatSpan(cpu.min, cpu.max, "us") : null,
            },
            { text: formatQuantity(rss?.max, "bytes") },
            { text: formatQuantity(bytes?.median, "bytes") },
            { text: r.summary?.limit ? LIMIT_WORDS[r.summary.limit] : "–" },
          ],
          csv: [r.name, cpu?.median, cpu?.min, cpu?.max, rss?.max, bytes?.median, r.summary?.limit],
        };
      }),
    },
    empty: rows.some((row) => row.value !== null || row.points.length > 0)
      ? null
      : rows.length > 0 && rows.every((row) => row.reason === "not measured")
        ? "No trial of this scenario has ended yet."
        : rows.some((row) => row.reason === SEARCH_HAS_NO_CPU)
          ? `CPU is ${SEARCH_HAS_NO_CPU}.`
          : whyNothing(rows),
  };
}

/** One reason where all entries share it; else each with its own. */
function whyNothing(rows: readonly Pick<BarRow, "name" | "reason">[]): string {
  const reasons = [...new Set(rows.map((row) => row.reason ?? "no figure"))];
  const said =
    reasons.length === 1 ? reasons : rows.map((row) => `${row.name}: ${row.reason ?? "no figure"}`);
  return `${said.join(". ").replace(/^./, (c) => (reasons.length === 1 ? c.toUpperCase() : c))}.`;
}
