import { limitOf, type Words } from "@rigmark/messages";
import { type Bound, METRICS } from "@rigmark/metrics";
import type { Efficiency, EntrySummary } from "@rigmark/results";
import { rateBound } from "@rigmark/results/ranking";
import type { Cell, TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { formatRange, type ResultRun, rankedEntries } from "./shape";

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
  id === "requests_per_s_per_mib" ? rateBound(summary) : null;

/** Shares of a request that need whole responses, counted in the same seconds as what is shared. */
const PER_RESPONSE: readonly Id[] = [
  "server_cpu_us_per_request",
  "requests_per_s_per_core",
  "wire_bytes_per_request",
];

/** Why a share of a request is not told where the counters themselves are known. */
function whyNoShare(w: Words, summary: EntrySummary | undefined, id: Id): string | null {
  if (!PER_RESPONSE.includes(id)) return null;
  if (summary?.no_cpu_code === "search") return w.t("figure.searchHasNoCpuShort");
  return summary?.no_cpu_code === "too-few-requests" ? w.t("figure.tooFewRequests") : null;
}

type EfficiencyRun = Pick<ResultRun, "entries" | "summary">;

/** What each entry answers for what it uses. Null where nothing of it is known. */
export function efficiencyTable(
  w: Words,
  run: EfficiencyRun,
  scenario: string,
  styles: Map<string, SeriesStyle>,
): TableModel | null {
  const ranked = rankedEntries(run, scenario);
  if (!ranked.some((r) => COLUMNS.some(({ id }) => spreadOf(r.summary, id)))) return null;
  return {
    caption: w.t("figure.efficiencyCaption"),
    columns: [
      { title: w.t("figure.entry"), term: "entry" },
      ...COLUMNS.map(({ id }) => ({
        title: w.metric(id).title,
        align: "right" as const,
        note: w.t("figure.medianOfTrials"),
        hint: w.metric(id).meaning,
      })),
      { title: w.t("figure.limit"), term: "bottleneck", hint: w.t("figure.limitHint") },
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
            text: w.bound(spread?.median, unit, boundOf(summary, id)),
            note: spread
              ? spread.min < spread.max
                ? formatRange(w, spread.min, spread.max, unit)
                : null
              : whyNoShare(w, summary, id),
          };
        }),
        { text: summary?.limit ? limitOf(w, summary.limit) : "–" },
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
