import { type Bound, formatBound, METRICS } from "@rigmark/metrics";
import type { Efficiency, EntrySummary } from "@rigmark/results";
import type { Cell, TableModel } from "@/components/chart/table-model";
import { SEARCH_HAS_NO_CPU_IN_SHORT } from "../load-words";
import type { SeriesStyle } from "../series-style";
import { TOO_FEW_ANSWERED, whyNoCost } from "./cost-figure";
import { formatSpan, LIMIT_HINT, LIMIT_WORDS, type ResultRun, rankedEntries, trialsOf } from "./shape";

const COLUMNS = [
  METRICS.server_cpu_us_per_request,
  METRICS.requests_per_s_per_core,
  METRICS.requests_per_s_per_mib,
  METRICS.energy_uj_per_request,
  METRICS.wire_bytes_per_request,
] as const;
type Id = (typeof COLUMNS)[number]["id"];

const spreadOf = (summary: EntrySummary | undefined, id: Id) =>
  id === "server_cpu_us_per_request"
    ? (summary?.cpu_us_per_request ?? null)
    : (summary?.efficiency?.[id satisfies keyof Efficiency] ?? null);

/** Of these only what is made of the rate is cut off with it. */
const boundOf = (summary: EntrySummary | undefined, id: Id): Bound =>
  id === "requests_per_s_per_mib" && summary?.lower_bound ? "≥" : null;

/** Shares of a request that need whole responses, counted in the same seconds as what is shared. */
const PER_ANSWER: readonly Id[] = [
  "server_cpu_us_per_request",
  "requests_per_s_per_core",
  "wire_bytes_per_request",
];

/** Why a share of a request is not told where the counters themselves are known. */
function whyNoShare(run: EfficiencyRun, scenario: string, summary: EntrySummary | undefined, id: Id) {
  if (!summary || summary.trials_valid === 0 || summary.cpu_us_per_request || !PER_ANSWER.includes(id))
    return null;
  if (run.scenarios.find((s) => s.id === scenario)?.load.kind === "knee") return SEARCH_HAS_NO_CPU_IN_SHORT;
  const why = whyNoCost(summary, trialsOf(run, scenario, summary.entry_key), false);
  return why === TOO_FEW_ANSWERED ? "too few requests" : null;
}

type EfficiencyRun = Pick<ResultRun, "entries" | "scenarios" | "trials" | "summary">;

/** What each entry answers for what it uses. Null where nothing of it is known. */
export function efficiencyTable(
  run: EfficiencyRun,
  scenario: string,
  styles: Map<string, SeriesStyle>,
): TableModel | null {
  const ranked = rankedEntries(run, scenario);
  if (!ranked.some((r) => COLUMNS.some(({ id }) => spreadOf(r.summary, id)))) return null;
  return {
    caption: "Efficiency of each entry",
    columns: [
      { title: "Entry", term: "entry" },
      ...COLUMNS.map(({ title, meaning }) => ({
        title,
        align: "right" as const,
        note: "median of trials",
        hint: meaning,
      })),
      { title: "Limit", term: "bottleneck", hint: LIMIT_HINT },
    ],
    csv: [
      "entry",
      ...COLUMNS.flatMap(({ id }) => [`${id}_median`, `${id}_min`, `${id}_max`]),
      "requests_per_s_per_mib_bound",
      "limit",
    ],
    rows: ranked.map(({ entry, name, summary }) => ({
      key: entry.key,
      style: styles.get(entry.key),
      cells: [
        { text: name },
        ...COLUMNS.map(({ id, unit }): Cell => {
          const spread = spreadOf(summary, id);
          return {
            text: formatBound(spread?.median, unit, boundOf(summary, id)),
            note: spread
              ? spread.min < spread.max
                ? formatSpan(spread.min, spread.max, unit)
                : null
              : whyNoShare(run, scenario, summary, id),
          };
        }),
        { text: summary?.limit ? LIMIT_WORDS[summary.limit] : "–" },
      ],
      csv: [
        name,
        ...COLUMNS.flatMap(({ id }) => {
          const spread = spreadOf(summary, id);
          return [spread?.median, spread?.min, spread?.max];
        }),
        boundOf(summary, "requests_per_s_per_mib") ?? "",
        summary?.limit,
      ],
    })),
  };
}
