import type { PlanEntry, Scenario } from "@rigmark/protocol";
import {
  type ComparedCell,
  type ComparedRun,
  type ComparedScenario,
  type ComparisonView,
  MOST_COMPARED,
  type RunSummary,
  type ScenarioSummary,
} from "@rigmark/results";
import { type MatchedSeries, matchSeries } from "@rigmark/results/match-series";
import { rankingOf } from "@rigmark/results/ranking";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { findHost } from "../internal/host/summary";
import { iso } from "../internal/moment";
import { findRun } from "../internal/run/find";
import { type Loaded, loadAttempt } from "../internal/run/load";
import { loadKey } from "../internal/run/load-key";
import { trySummarize } from "../internal/run/summarize";
import { compareBetween } from "./internal/between";

/** A run as it is compared: its summary is worked out with the chosen baseline. */
export interface Side {
  /** Null where it has not begun. */
  attemptId: string | null;
  view: ComparedRun;
  entries: PlanEntry[];
  scenarios: Scenario[];
  summary: RunSummary | null;
}

/**
 * Entries of several runs beside each other. Within a run the ratios are to one of its own entries, so that runs on several
 * hosts are read by what holds on each; between runs on one host packages/stats compares with the host's own history.
 */
export async function compareRuns({
  ctx,
  input,
}: Call<{
  workspace: string;
  runIds: readonly string[];
  baseline?: string | undefined;
}>): Promise<ComparisonView> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const runIds = [...new Set(input.runIds)];
  if (runIds.length > MOST_COMPARED)
    throw new DomainError(
      "invalid",
      `At most ${MOST_COMPARED} runs are compared at once; these are ${runIds.length}.`,
    );
  const loaded = await Promise.all(runIds.map((runId) => load(ctx, workspaceId, runId)));
  const series = matchSeries(loaded.map((run) => run.loaded));
  const chosen = series.findIndex((s) => s.name === input.baseline);
  if (input.baseline !== undefined && chosen < 0)
    throw new DomainError(
      "not_found",
      `None of these runs has an entry “${input.baseline}”; choose another baseline.`,
    );
  const sides = loaded.map((run, place) => {
    const key = chosen < 0 ? null : (series[chosen]?.keys[place] ?? null);
    return sideOf(ctx, run, key, chosen >= 0);
  });
  const groups = groupScenarios(sides);
  const between = await compareBetween(ctx, { workspaceId, sides, series, groups });
  return {
    runs: sides.map((side) => side.view),
    series: series.map(({ name, server }) => ({ name, server })),
    baseline: chosen < 0 ? null : chosen,
    scenarios: groups.map((group, place) => scenarioOf(group, sides, series, between[place] ?? [])),
    left_out: leftOut(sides, series, chosen),
  };
}

interface Read {
  attemptId: string | null;
  view: ComparedRun;
  loaded: Loaded;
}

async function load(ctx: Ctx, workspaceId: string, runId: string): Promise<Read> {
  const row = await findRun(ctx, workspaceId, runId);
  const [loaded, host] = await Promise.all([
    loadAttempt(ctx, workspaceId, row.attempt_id),
    findHost(ctx, workspaceId, row.host_id),
  ]);
  return {
    attemptId: row.attempt_id,
    loaded,
    view: {
      run_id: row.run_id,
      title: row.title,
      host: { host_id: row.host_id, name: host.name },
      created_at: iso(row.created_at),
      source: row.source,
      published_by: row.published_by,
      environment: loaded.attempt?.environment ?? null,
    },
  };
}

/** With another baseline the same trials are summed up anew: a ratio to it has an interval of its own. */
function sideOf(ctx: Ctx, { attemptId, view, loaded }: Read, baseline: string | null, chosen: boolean): Side {
  const entries = chosen
    ? loaded.entries.map((e) => ({ ...e, baseline: e.key === baseline }))
    : loaded.entries;
  // Without the chosen entry nobody is the baseline; packages/stats would take the first.
  const lacking = chosen && baseline === null;
  const summary = trySummarize(ctx, view.run_id, { ...loaded, entries: lacking ? loaded.entries : entries });
  return {
    attemptId,
    view,
    entries,
    scenarios: loaded.scenarios,
    summary: lacking ? withoutRatios(summary) : summary,
  };
}

/** A run without the chosen baseline has figures and nothing to compare them with. */
const withoutRatios = (summary: RunSummary | null): RunSummary | null =>
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
  of: { run: number; summary: ScenarioSummary }[];
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
  between: ComparedScenario["between"],
): ComparedScenario {
  const ranking = rankingOf(metric);
  const cellOf = (run: number, key: string | null, summary: ScenarioSummary): ComparedCell | null => {
    const entry = key === null ? undefined : summary.entries.find((e) => e.entry_key === key);
    if (!entry) return null;
    return {
      ...entry,
      figure: ranking.spreadOf(entry),
      baseline: sides[run]?.entries.some((e) => e.key === key && e.baseline) ?? false,
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

function leftOut(sides: readonly Side[], series: readonly MatchedSeries[], chosen: number): string[] {
  const name = (side: Side) => `“${side.view.title || side.view.run_id.slice(0, 8)}”`;
  const baseline = series[chosen];
  return sides.flatMap((side, place) => [
    ...(side.summary ? [] : [`The run ${name(side)} has no result yet.`]),
    ...(baseline && baseline.keys[place] === null
      ? [`The run ${name(side)} has no entry “${baseline.name}”, so nothing in it is compared.`]
      : []),
  ]);
}
