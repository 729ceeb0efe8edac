import { setImmediate } from "node:timers/promises";
import { sql } from "@rigmark/db";
import { FINAL_STATES, type PlanEntry, type RunState, type Scenario } from "@rigmark/protocol";
import type {
  ComparedCell,
  ComparedRun,
  ComparedScenario,
  ComparisonView,
  ReportRun,
  ReportRunName,
  ScenarioSummary,
} from "@rigmark/results";
import { loadKey } from "@rigmark/results/load-key";
import { type MatchedSeries, matchSeries } from "@rigmark/results/match-series";
import { partlyIn, rankingOf } from "@rigmark/results/ranking";
import type { Call, Ctx } from "../context";
import { enterWorkspace } from "../internal/access";
import { findHosts } from "../internal/host/summary";
import { iso } from "../internal/moment";
import { findPresentRuns, type RunRow } from "../internal/run/find";
import { loadAttempt } from "../internal/run/load";
import { readStored, type StoredRun, type StoredSummary } from "../internal/run/read-stored";
import { summaryOf, trySummarize } from "../internal/run/summarize";
import { unknownBaseline } from "../internal/run/unknown-baseline";
import { reportRuns } from "../report/find-run";
import { compareBetween } from "./internal/between";
import { distinctRuns, type RunNames } from "./internal/distinct-runs";
import { changedIn, matchedNotes } from "./internal/matched-notes";

/** Runs that are read at the same time. */
const TOGETHER = 3;

/** A run as it is compared: its summary is worked out with the chosen baseline. */
export interface Side {
  /** Null where it has not begun. */
  attemptId: string | null;
  view: ComparedRun;
  entries: PlanEntry[];
  scenarios: Scenario[];
  summary: StoredSummary | null;
}

/**
 * Entries of several runs beside each other. Within a run the ratios are to one of its own entries, so that runs on several
 * hosts are read by what holds on each; between runs on one host packages/stats compares with the host's own history.
 */
export async function compareRuns({
  ctx,
  input,
}: Call<{ workspace: string; baseline?: string | undefined } & RunNames>): Promise<ComparisonView> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const { runIds, reports } = distinctRuns(input);
  const find = reportRuns(ctx);
  const { rows, gone, notes } = await findPresentRuns(ctx, workspaceId, runIds);
  const loading = [
    ...(await readOwn(ctx, workspaceId, rows)),
    ...reports.map((name) => () => readReported(find, name)),
  ];
  const loaded: Read[] = [];
  // All at once they would take every connection to the database, and nobody else's page would come.
  for (let i = 0; i < loading.length; i += TOGETHER)
    loaded.push(...(await Promise.all(loading.slice(i, i + TOGETHER).map((begin) => begin()))));
  const series = matchSeries(loaded);
  const chosen = series.findIndex((s) => s.name === input.baseline);
  const lost = input.baseline !== undefined && chosen < 0 ? input.baseline : null;
  // It may have been an entry of a run that is gone.
  if (lost !== null && gone.length === 0) throw unknownBaseline(lost);
  const sides: Side[] = [];
  for (const [place, run] of loaded.entries()) {
    const key = chosen < 0 ? null : (series[chosen]?.keys[place] ?? null);
    sides.push(await sideOf(run, key, chosen >= 0));
    // Summing up twenty runs takes a while, and others wait for the same thread.
    await setImmediate();
  }
  const groups = groupScenarios(sides);
  const between = await compareBetween(ctx, { workspaceId, sides, series, groups });
  return {
    runs: sides.map((side) => side.view),
    series: series.map((each) => ({
      ...{ name: each.name, server: each.server },
      changed: changedIn(sides, each),
    })),
    baseline: chosen < 0 ? null : chosen,
    scenarios: groups.map((group, place) => scenarioOf(group, sides, series, chosen, between[place] ?? [])),
    gone,
    notes: [
      ...notes,
      ...(lost === null
        ? []
        : [`None of these runs has an entry “${lost}”: each run is compared with its own baseline.`]),
      ...runNotes(sides, series, chosen),
      ...matchedNotes(sides, series),
      ...notCompared(sides, series, groups),
    ],
  };
}

interface Read extends Omit<Side, "summary"> {
  /** With these entries, one of which may be another baseline than in the run. */
  summarize(entries: PlanEntry[]): Promise<StoredSummary | null>;
}

/** Runs of the workspace. Of one that has ended the stored results are read, and none of its trials. */
async function readOwn(
  ctx: Ctx,
  workspaceId: string,
  rows: readonly RunRow[],
): Promise<(() => Promise<Read>)[]> {
  const hostIds = [...new Set(rows.map((row) => row.host_id))];
  const [stored, hosts] = await Promise.all([
    readStored(
      ctx,
      workspaceId,
      rows.flatMap((row) => row.attempt_id ?? []),
    ),
    findHosts(ctx, workspaceId, sql`h.host_id = ANY(${hostIds}::uuid[])`),
  ]);
  const names = new Map(hosts.map((host) => [host.host_id, host.name]));
  return rows.map(
    (row) => () =>
      readRun(ctx, workspaceId, {
        ...{ row, hostName: names.get(row.host_id) ?? "" },
        stored: stored.get(row.attempt_id ?? ""),
      }),
  );
}

interface Found {
  row: RunRow;
  hostName: string;
  stored: StoredRun | undefined;
}

async function readRun(ctx: Ctx, workspaceId: string, { row, hostName, stored }: Found): Promise<Read> {
  const load = () => loadAttempt(ctx, workspaceId, row.attempt_id);
  const loaded = stored ? null : await load();
  const { entries, scenarios } = stored ?? loaded ?? { entries: [], scenarios: [] };
  return {
    ...{ attemptId: row.attempt_id, entries, scenarios },
    summarize: async (chosen) =>
      stored && chosen === entries
        ? stored.summary
        : trySummarize(ctx, row.run_id, { ...(loaded ?? (await load())), entries: chosen }),
    view: {
      run_id: row.run_id,
      title: row.title,
      state: row.state,
      host: { host_id: row.host_id, name: hostName },
      report: null,
      created_at: iso(row.created_at),
      source: row.source,
      published_by: row.published_by,
      environment: stored?.environment ?? loaded?.attempt?.environment ?? null,
    },
  };
}

/** What a reader of the report sees of it, and nothing else: it may be another workspace's. */
async function readReported(find: ReturnType<typeof reportRuns>, name: ReportRunName): Promise<Read> {
  const { run, created_at } = await find(name);
  return {
    attemptId: null,
    entries: run.entries,
    scenarios: run.scenarios,
    summarize: async (entries) => summarizeReported(run, entries),
    view: {
      run_id: run.run_id,
      title: run.title,
      state: run.state,
      host: { host_id: null, name: run.host.name },
      report: name,
      created_at: run.finished_at ?? created_at,
      source: run.source,
      published_by: run.published_by,
      environment: run.environment,
    },
  };
}

/** As it was frozen, unless it is read from another entry. */
const summarizeReported = (run: ReportRun, entries: PlanEntry[]): StoredSummary | null =>
  entries === run.entries
    ? run.summary
    : summaryOf({
        ...run,
        entries,
        trials: run.trials.map((t) => ({ ...t, windows: t.done_slices.length })),
      });

/** With another baseline the same trials are summed up anew: a ratio to it has an interval of its own. */
async function sideOf({ summarize, ...run }: Read, baseline: string | null, chosen: boolean): Promise<Side> {
  // Without the chosen entry nobody is the baseline; packages/stats would take the first.
  if (chosen && baseline === null) return { ...run, summary: withoutRatios(await summarize(run.entries)) };
  const own = !chosen || run.entries.find((e) => e.baseline)?.key === baseline;
  const entries = own ? run.entries : run.entries.map((e) => ({ ...e, baseline: e.key === baseline }));
  return { ...run, entries, summary: await summarize(entries) };
}

/** A run without the chosen baseline has figures and nothing to compare them with. */
const withoutRatios = (summary: StoredSummary | null): StoredSummary | null =>
  summary && {
    ...summary,
    scenarios: summary.scenarios.map((s) => ({
      ...s,
      entries: s.entries.map((e) => ({ ...e, ratio: null, ratio_bound: null, verdict: null })),
    })),
  };

/** The same load in several runs, judged by the same metric. */
export interface Group {
  definition: Scenario;
  metric: ScenarioSummary["metric"];
  /** In which runs, with what was found there. */
  of: { run: number; summary: StoredSummary["scenarios"][number] }[];
}

function groupScenarios(sides: readonly Side[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [run, side] of sides.entries())
    for (const definition of side.scenarios) {
      const summary = side.summary?.scenarios.find((s) => s.scenario === definition.id);
      if (!summary) continue;
      const key = loadKey(definition, summary.metric);
      const group = groups.get(key) ?? { definition, metric: summary.metric, of: [] };
      group.of.push({ run, summary });
      groups.set(key, group);
    }
  return [...groups.values()];
}

function scenarioOf(
  { definition, metric, of }: Group,
  sides: readonly Side[],
  series: readonly MatchedSeries[],
  chosen: number,
  between: ComparedScenario["between"],
): ComparedScenario {
  const ranking = rankingOf(metric);
  /** Where none is chosen each run's own; null in a run that lacks the chosen one. */
  const baselineIn = (run: number): string | null | undefined =>
    chosen < 0 ? sides[run]?.entries.find((e) => e.baseline)?.key : series[chosen]?.keys[run];
  const cellOf = (
    run: number,
    key: string | null,
    summary: Group["of"][number]["summary"],
  ): ComparedCell | null => {
    const entry = key === null ? undefined : summary.entries.find((e) => e.entry_key === key);
    if (!entry) return null;
    return {
      ...entry,
      figure: ranking.spreadOf(entry),
      partly: partlyIn(ranking, entry),
      baseline: key === baselineIn(run),
    };
  };
  return {
    scenario: definition.id,
    title: definition.title,
    tool: definition.tool,
    workload: definition.workload,
    load: definition.load,
    metric,
    rows: of.map(({ run, summary }) => ({
      run,
      cells: series.map((s) => cellOf(run, s.keys[run] ?? null, summary)),
    })),
    between,
  };
}

/** What is to be known of single runs. They have the numbers of the page, since several may have one title. */
function runNotes(sides: readonly Side[], series: readonly MatchedSeries[], chosen: number): string[] {
  const baseline = series[chosen];
  return sides.flatMap((side, place) => {
    const run = `Run ${place + 1} (“${side.view.title || side.view.run_id.slice(0, 8)}”)`;
    const whole = wholeness(side);
    return [
      ...(whole === null ? [] : [`${run} ${whole}`]),
      ...(baseline && baseline.keys[place] === null
        ? [`${run} has no entry “${baseline.name}”, so nothing in it is compared.`]
        : []),
    ];
  });
}

const ENDED: Partial<Record<RunState, string>> = {
  failed: "failed",
  cancelled: "was cancelled",
  timed_out: "timed out",
  incomplete: "is incomplete",
};

/** Why its figures are not those of a whole run; null where they are. */
function wholeness({ view: { state, report }, summary }: Side): string | null {
  const ended = FINAL_STATES.includes(state);
  if (!summary) return ended || report ? "ended without a result." : "has no result yet.";
  if (ended) return state === "succeeded" ? null : `${ENDED[state]}; what it had measured is shown.`;
  if (report) return "was still measuring when its report was made.";
  return `is still ${state === "uploading" ? "being uploaded" : "measuring"}, so its figures can change.`;
}

/** Why there is nothing to see between several runs. */
function notCompared(
  sides: readonly Side[],
  series: readonly MatchedSeries[],
  groups: readonly Group[],
): string[] {
  const measured = sides.filter((side) => side.summary).length;
  if (measured < 2) return [];
  const titles = new Map<string, string>();
  const other = new Set<string>();
  for (const { definition, metric } of groups) {
    const load = `${definition.id} ${metric}`;
    if (titles.has(load)) other.add(load);
    titles.set(load, definition.title);
  }
  return [
    ...(groups.every(({ of }) => of.length < 2) && other.size === 0
      ? ["No two of these runs share a scenario, so each is shown by itself."]
      : []),
    ...(series.every(({ keys }) => keys.filter((key) => key !== null).length < 2)
      ? ["No two of these runs share an entry, so none is compared between them."]
      : []),
    ...[...other].map(
      (load) =>
        `“${titles.get(load) ?? ""}” is not the same load in all of these runs (other requests, connections or rate), so each load is listed for itself.`,
    ),
  ];
}
