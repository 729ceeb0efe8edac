import { figureOf, limitOf, verdictOf, type Words } from "@rigmark/messages";
import { type Bound, formatNumber } from "@rigmark/metrics";
import type { PlanEntry, RunLabel, Scenario } from "@rigmark/protocol";
import type { EntrySummary } from "@rigmark/results";
import { latencyBound, type Ranking, rankingOf, rateBound, signOf } from "@rigmark/results/ranking";
import type { Cell, Column, Row, TableModel } from "@/components/chart/table-model";
import type { CsvCell } from "@/lib/csv";
import { plainLine } from "../text";
import { besideFigure } from "./main-figure";
import {
  formatRange,
  phrase,
  type ResultRun,
  summaryOf,
  trialReason,
  trialsOf,
  unrankedWhy,
  winnerOf,
} from "./shape";

export interface OverviewRun extends Pick<ResultRun, "entries" | "scenarios" | "trials" | "summary"> {
  labels: readonly RunLabel[];
}

/** The whole of a run with several scenarios, laid out as the published reports are: a row a scenario, a column an entry. */
export interface Overview {
  workloads: { workload: string; table: TableModel }[];
  resources: TableModel;
  /** Null where nothing is compared. */
  trend: TableModel | null;
}

/** Where the results under a scenario are. */
export type HrefOf = (scenario: Scenario) => string;

/** `hrefOf`: where its rows lead; without it nowhere. */
export function overviewOf(w: Words, run: OverviewRun, hrefOf?: HrefOf): Overview {
  const workloads = [...new Set(run.scenarios.map((s) => s.workload))];
  const rivals = run.entries.filter((e) => !e.baseline);
  return {
    workloads: workloads.map((workload) => ({ workload, table: resultTable(w, run, workload, hrefOf) })),
    resources: tableOf(w, run, {
      caption: w.t("figure.overview.resources"),
      entries: run.entries,
      scenarios: run.scenarios,
      hrefOf,
      cell: (scenario, entry) => resourceCell(w, run, scenario, entry),
      csv: (scenario, entry) => {
        const s = entrySummary(run, scenario.id, entry.key);
        return [s?.rss_peak_bytes?.max, s?.server_cpu_cores?.median, s?.cpu_us_per_request?.median, s?.limit];
      },
      csvTitles: ["rss_peak_bytes", "server_cpu_cores", "cpu_us_per_request", "limit"],
    }),
    trend:
      rivals.length > 0 && rivals.length < run.entries.length
        ? tableOf(w, run, {
            caption: w.t("figure.overview.change"),
            entries: rivals,
            scenarios: run.scenarios,
            hrefOf,
            cell: (scenario, entry) => trendCell(w, run, scenario, entry),
            csv: (scenario, entry) => {
              const s = entrySummary(run, scenario.id, entry.key);
              const bound = s ? signOf(s) : null;
              return [s?.ratio?.estimate, s?.ratio?.low, s?.ratio?.high, bound ?? "", s?.verdict];
            },
            csvTitles: ["ratio", "ratio_low", "ratio_high", "ratio_bound", "verdict"],
          })
        : null,
  };
}

const entrySummary = (run: OverviewRun, scenario: string, key: string): EntrySummary | undefined =>
  summaryOf(run, scenario)?.entries.find((e) => e.entry_key === key);

interface Layout {
  caption: string;
  entries: readonly PlanEntry[];
  scenarios: readonly Scenario[];
  hrefOf: HrefOf | undefined;
  cell: (scenario: Scenario, entry: PlanEntry) => Cell;
  csv: (scenario: Scenario, entry: PlanEntry) => CsvCell[];
  csvTitles: readonly string[];
  last?: { column: Column; cell: (scenario: Scenario) => Cell };
}

function tableOf(w: Words, run: OverviewRun, layout: Layout): TableModel {
  const { entries, hrefOf, last } = layout;
  const baseline = run.entries.find((e) => e.baseline)?.key;
  return {
    caption: layout.caption,
    columns: [
      { title: w.t("figure.scenario"), term: "scenario" },
      ...entries.map(
        (e): Column => ({
          title: plainLine(e.label),
          align: "right",
          ...(e.key === baseline ? { note: w.t("figure.baseline"), noteTerm: "baseline" } : {}),
        }),
      ),
      ...(last ? [last.column] : []),
    ],
    csv: [
      "scenario",
      "load",
      "metric",
      ...entries.flatMap((e) => layout.csvTitles.map((t) => `${plainLine(e.label)} ${t}`)),
    ],
    rows: layout.scenarios.map(
      (scenario): Row => ({
        key: scenario.id,
        cells: [
          { text: w.title(plainLine(scenario.title)), ...(hrefOf && { href: hrefOf(scenario) }) },
          ...entries.map((entry) => layout.cell(scenario, entry)),
          ...(last ? [last.cell(scenario)] : []),
        ],
        csv: [
          scenario.id,
          scenario.load.kind,
          rankingIn(run, scenario).csv,
          ...entries.flatMap((entry) => layout.csv(scenario, entry)),
        ],
      }),
    ),
  };
}

function resultTable(w: Words, run: OverviewRun, workload: string, hrefOf: HrefOf | undefined): TableModel {
  return tableOf(w, run, {
    caption: w.t("figure.overview.results", { workload }),
    entries: run.entries,
    scenarios: run.scenarios.filter((s) => s.workload === workload),
    hrefOf,
    cell: (scenario, entry) => resultCell(w, run, scenario, entry),
    csv: (scenario, entry) => {
      const s = entrySummary(run, scenario.id, entry.key);
      // Times to the first byte stand in a column of their own: this one is of whole responses.
      const { ranks } = rankingIn(run, scenario);
      const at = (p: number) => s?.percentiles.find((x) => x.p === p)?.us?.median;
      return [
        s?.requests_per_s?.median,
        rateBound(s) ?? "",
        ranks ? at(99) : null,
        latencyBound(s) ?? "",
        ranks ? null : at(50),
        s?.cpu_us_per_request?.median,
        s?.shared_ceiling ?? false,
        s?.limit,
        s?.unranked_reason && plainLine(s.unranked_reason),
      ];
    },
    csvTitles: [
      "requests_per_s",
      "requests_per_s_bound",
      "p99_us",
      "p99_us_bound",
      "first_byte_p50_us",
      "cpu_us_per_request",
      "shared_ceiling",
      "limit",
      "not_ranked",
    ],
    last: {
      column: { title: w.t("figure.overview.winner"), hint: w.t("figure.overview.winnerHint") },
      cell: (scenario) => {
        const key = winnerOf(run, scenario.id);
        const winner = run.entries.find((e) => e.key === key);
        if (winner) return { text: plainLine(winner.label) };
        const of = summaryOf(run, scenario.id);
        const why = phrase(w, of?.no_winner, of?.no_winner_zh);
        return { text: "–", note: why ?? w.t("figure.overview.noneShown") };
      },
    },
  });
}

const rankingIn = (run: OverviewRun, scenario: Scenario): Ranking =>
  rankingOf(summaryOf(run, scenario.id)?.metric ?? "requests_per_s");

function resultCell(w: Words, run: OverviewRun, scenario: Scenario, entry: PlanEntry): Cell {
  const s = entrySummary(run, scenario.id, entry.key);
  const ranking = rankingIn(run, scenario);
  const spread = ranking.spreadOf(s);
  if (!s || !spread) {
    return missing(w, run, scenario, entry, noteOnP99(w, s, ranking));
  }
  const notes = [
    scenario.load.kind === "rate"
      ? w.t("figure.overview.at", { rate: w.quantity(scenario.load.rate_per_s, "per_s") })
      : null,
    spread.n > 1 && (ranking.unit === "per_s" || !ranking.ranks)
      ? formatRange(w, spread.min, spread.max, ranking.unit)
      : null,
    s.limit ? limitOf(w, s.limit) : null,
    besideFigure(w, s, ranking),
  ];
  return {
    text: figureOf(w, ranking.metric, ranking.write(spread.median, ranking.boundOf(s))),
    note: w.join(notes) || null,
  };
}

function noteOnP99(w: Words, s: EntrySummary | undefined, { metric }: Ranking): string | null {
  const p99 = metric === "p99_us" ? s?.percentiles.find((p) => p.p === 99) : null;
  return phrase(w, p99?.note, p99?.note_zh);
}

function resourceCell(w: Words, run: OverviewRun, scenario: Scenario, entry: PlanEntry): Cell {
  const s = entrySummary(run, scenario.id, entry.key);
  const cores = s?.server_cpu_cores?.median ?? null;
  const counted = trialsOf(run, scenario.id, entry.key).some((t) => t.state === "valid");
  if (!s?.rss_peak_bytes && cores === null && !counted) return missing(w, run, scenario, entry);
  const notes = [
    cores === null ? null : w.quantity(cores, "cores"),
    s?.cpu_us_per_request
      ? inOneLine(
          w.t("figure.overview.cpuARequest", { figure: w.quantity(s.cpu_us_per_request.median, "us") }),
        )
      : null,
    s?.bytes_per_request
      ? inOneLine(
          w.t("figure.overview.aResponse", { figure: w.quantity(s.bytes_per_request.median, "bytes") }),
        )
      : null,
    s?.limit ? limitOf(w, s.limit) : null,
    s?.rss_peak_bytes ? null : w.t("figure.memoryNotRead"),
    cores === null ? whyNoCores(w, scenario) : null,
  ];
  return { text: w.quantity(s?.rss_peak_bytes?.max, "bytes"), note: w.join(notes) || null };
}

/** A figure of a few words, one below the other in a narrow cell, breaks between figures only. */
const inOneLine = (words: string): string => words.replaceAll(" ", "\u00a0");

const whyNoCores = (w: Words, { load }: Scenario): string =>
  load.kind === "knee"
    ? w.t("figure.cpuWhy", { why: w.t("figure.searchHasNoCpu") })
    : w.t("figure.cpuNotRead");

const percent = (ratio: number): string => {
  const change = (ratio - 1) * 100;
  return `${change > 0 ? "+" : change < 0 ? "−" : ""}${formatNumber(Math.abs(change))}`;
};

/** The interval of a ratio as that of a change; between signs a dash would be read as one more. */
const changeInterval = (w: Words, ratio: { low: number; high: number }, bound: Bound): string =>
  w.interval(ratio, bound, (end) => `${percent(end)}\u00a0%`).replace(" – ", w.t("figure.overview.to"));

function trendCell(w: Words, run: OverviewRun, scenario: Scenario, entry: PlanEntry): Cell {
  const s = entrySummary(run, scenario.id, entry.key);
  const ranking = rankingIn(run, scenario);
  if (!s?.ratio) {
    if (!s || !ranking.spreadOf(s)) return missing(w, run, scenario, entry, noteOnP99(w, s, ranking));
    if (!ranking.ranks && s.unranked_reason) return { text: "–", note: unrankedWhy(w, s) };
    if (s.verdict === "not-comparable")
      return {
        text: "–",
        note: `${verdictOf(w, s.verdict, ranking.metric)}${w.t("ui.colon")}${w.sentence(plainLine(s.sentence))}`,
      };
    return {
      text: "–",
      note: s.verdict ? verdictOf(w, s.verdict, ranking.metric) : w.t("figure.overview.noRatio"),
    };
  }
  const bound = signOf(s);
  const found = s.verdict
    ? verdictOf(w, s.verdict, ranking.metric)
    : w.t("figure.overview.inCommon", { n: s.blocks_in_common ?? 0 });
  return {
    text: figureOf(w, ranking.metric, `${bound ? `${bound} ` : ""}${percent(s.ratio.estimate)}\u00a0%`),
    // No change stands without its interval, however wide that is of few blocks.
    note: w.join([changeInterval(w, s.ratio, bound), found]),
  };
}

/** A cell without a figure says why. */
function missing(
  w: Words,
  run: OverviewRun,
  scenario: Scenario,
  entry: PlanEntry,
  note?: string | null,
): Cell {
  const dash = (why: string): Cell => ({ text: "–", note: why });
  if (note) return dash(note);
  const trials = trialsOf(run, scenario.id, entry.key);
  if (trials.length === 0) {
    // A pair is left out of a plan for this reason alone.
    const unclaimed = run.labels.some((l) => l.entry_key === entry.key && l.code === "not-claimed");
    return dash(
      unclaimed
        ? w.t("figure.overview.notClaimed", { workload: scenario.workload })
        : w.t("figure.overview.notPlanned"),
    );
  }
  const unranked = unrankedWhy(w, entrySummary(run, scenario.id, entry.key));
  if (unranked) return dash(unranked);
  const ended = trials.find((t) => t.reasons.length > 0);
  return dash(ended ? trialReason(w, ended) : w.t("figure.noFigure"));
}
