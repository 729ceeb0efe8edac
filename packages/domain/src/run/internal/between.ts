import { setImmediate } from "node:timers/promises";
import { all, sql } from "@rigmark/db";
import type { Environment, PlanEntry, Scenario } from "@rigmark/protocol";
import type { BetweenTwoRuns, BoundSide, ComparedScenario, EntrySummary } from "@rigmark/results";
import { compareEnvironments } from "@rigmark/results/comparable";
import { loadKey } from "@rigmark/results/load-key";
import { changesBetween, type EntryChange, type MatchedSeries } from "@rigmark/results/match-series";
import { rankingOf } from "@rigmark/results/ranking";
import { type BetweenRunsInput, betweenRuns } from "@rigmark/stats";
import type { Ctx } from "../../context";
import type { Group, Side } from "../compare";

/** Other runs of a host that are looked at, before and after those compared, newest first. */
const RUNS = 200;

interface Compared {
  workspaceId: string;
  sides: readonly Side[];
  series: readonly MatchedSeries[];
  groups: readonly Group[];
}

type Pair = Pick<BetweenTwoRuns, "series" | "a" | "b"> & { group: number };

/** For each group of scenarios: its series in runs on one host, each against the oldest of them. */
export async function compareBetween(ctx: Ctx, compared: Compared): Promise<ComparedScenario["between"][]> {
  const { sides, groups } = compared;
  const pairs = pairsOf(compared);
  if (pairs.length === 0) return groups.map(() => []);
  const same = new Map<string, boolean>();
  /** Asked of the same two runs for each entry and scenario. */
  const sameOf = (a: number, b: number): boolean => {
    const key = `${a} ${b}`;
    const known = same.get(key) ?? sameEnvironment(sides[a]?.view.environment, sides[b]?.view.environment);
    same.set(key, known);
    return known;
  };
  const input: BetweenRunsInput["pairs"] = pairs.map((pair, place) => {
    const group = groups[pair.group] as Group;
    const ranking = rankingOf(group.metric);
    const [a, b] = [entryOf(compared, pair, pair.a), entryOf(compared, pair, pair.b)];
    return {
      key: String(place),
      scenario: String(pair.group),
      host: historyOf(sides[pair.a] as Side),
      metric: group.metric,
      a: figureOf(ranking, a),
      b: figureOf(ranking, b),
      bound: [a, b].some((e) => e && ranking.boundOf(e) !== null),
      same_environment: sameOf(pair.a, pair.b),
    };
  });
  const history = await readHistory(ctx, compared, pairs);
  // What was written of the page meanwhile leaves before the thread is taken.
  await setImmediate();
  const found = betweenRuns({ schema: 1, pairs: input, history });
  return groups.map((_, group) =>
    pairs.flatMap((pair, place): BetweenTwoRuns[] => {
      const summary = found.pairs[place];
      if (pair.group !== group || !summary) return [];
      const { key: _, sentence_zh: __, reason_zh: ___, ...rest } = summary;
      const { series, a, b } = pair;
      return [{ series, label: labelOf(compared, pair), a, b, changed: changedOf(compared, pair), ...rest }];
    }),
  );
}

const sameEnvironment = (a: Environment | null | undefined, b: Environment | null | undefined): boolean =>
  !!a && !!b && compareEnvironments(a, b).length === 0;

const fingerprint = (side: Side): string | null => side.view.environment?.fingerprint ?? null;

/** Whose history a run belongs to: what a host measured in another environment says nothing about this one. */
const historyOf = (side: Side): string => `${side.view.host.host_id ?? ""} ${fingerprint(side) ?? ""}`;

const entryOf = ({ groups, series }: Compared, pair: Pair, run: number): EntrySummary | undefined => {
  const key = series[pair.series]?.keys[run];
  return groups[pair.group]?.of.find((o) => o.run === run)?.summary.entries.find((e) => e.entry_key === key);
};

const plannedIn = ({ sides, series }: Compared, place: number, run: number): PlanEntry | undefined =>
  sides[run]?.entries.find(({ key }) => key === series[place]?.keys[run]);

/** A series may join entries of other labels. */
const labelOf = (compared: Compared, { series: place, b }: Pair): string =>
  plannedIn(compared, place, b)?.label ?? compared.series[place]?.name ?? "";

function changedOf(compared: Compared, { series: place, a, b }: Pair): EntryChange[] {
  const [before, after] = [plannedIn(compared, place, a), plannedIn(compared, place, b)];
  return before && after ? changesBetween(before, after) : [];
}

/** The median, of an entry that compares with others and did what was asked of it. */
const figureOf = (ranking: ReturnType<typeof rankingOf>, entry: EntrySummary | undefined): number | null =>
  entry && entry.unranked_code === null && entry.not_sustained === null
    ? (ranking.spreadOf(entry)?.median ?? null)
    : null;

function pairsOf({ sides, series, groups }: Compared): Pair[] {
  return groups.flatMap((group, at) => {
    // However they were chosen: what changed is seen from what was there before.
    const inTime = group.of
      .flatMap(({ run }) => {
        const view = sides[run]?.view;
        return view ? [{ run, view }] : [];
      })
      // What somebody published from a file or in a report says nothing about the host's own history, which consists of
      // runs that succeeded.
      .filter(({ view }) => view.published_by === null && view.state === "succeeded")
      .sort((x, y) => x.view.created_at.localeCompare(y.view.created_at));
    return series.flatMap(({ keys }, place) => {
      const oldest = new Map<string, number>();
      return inTime.flatMap(({ run, view: { host } }): Pair[] => {
        if (keys[run] === null || host.host_id === null) return [];
        const a = oldest.get(host.host_id);
        if (a !== undefined) return [{ group: at, series: place, a, b: run }];
        oldest.set(host.host_id, run);
        return [];
      });
    });
  });
}

interface Row {
  entry_key: string;
  definition: Scenario;
  lower_bound: boolean;
  latency_bound: BoundSide | null;
  medians: number[];
}
interface Wanted {
  group: number;
  side: Side;
}

/** Medians of unchanged builds in other runs of the host in the environment of the run that the others are seen from. */
async function readHistory(
  ctx: Ctx,
  { workspaceId, sides, groups }: Compared,
  pairs: readonly Pair[],
): Promise<BetweenRunsInput["history"][number][]> {
  // Each history once, also where pairs begin with several runs of the host: read twice it would count twice.
  const wanted = new Map<string, Wanted>();
  for (const { group, a } of pairs) {
    const side = sides[a];
    if (side && fingerprint(side) !== null) wanted.set(`${group} ${historyOf(side)}`, { group, side });
  }
  const compared = sides.flatMap((side) => side.attemptId ?? []);
  const found = await Promise.all(
    [...wanted.values()].map(async ({ group, side }) => {
      const of = groups[group];
      if (!of) return [];
      const rows = await readMedians(ctx, workspaceId, side, of, compared);
      const byBuild = new Map<string, number[]>();
      for (const { entry_key, medians } of rows)
        byBuild.set(entry_key, [...(byBuild.get(entry_key) ?? []), ...medians]);
      const host = historyOf(side);
      return [...byBuild.values()].map((medians) => ({ scenario: String(group), host, medians }));
    }),
  );
  return found.flat();
}

/** Of the very same load: a scenario may be changed and keep its name. A bound is no figure. */
async function readMedians(
  ctx: Ctx,
  workspaceId: string,
  side: Side,
  { definition, metric }: Group,
  except: readonly string[],
): Promise<Row[]> {
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT x.entry_key, s.definition, coalesce((x.brief->>'lower_bound')::boolean, false) AS lower_bound,
          x.brief->>'latency_bound' AS latency_bound, array_agg(x.figure) AS medians
        FROM (SELECT a.workspace_id, a.attempt_id FROM attempt a
              JOIN run r ON r.workspace_id = a.workspace_id AND r.run_id = a.run_id AND r.attempt_no = a.attempt_no
              WHERE a.workspace_id = ${workspaceId} AND a.host_id = ${side.view.host.host_id}
                AND r.state = 'succeeded' AND r.deleted_at IS NULL AND r.published_by IS NULL
                AND NOT a.attempt_id = ANY(${[...except]}::uuid[])
                AND a.environment->>'fingerprint' = ${fingerprint(side)}
              ORDER BY a.created_at DESC LIMIT ${RUNS}) h
        JOIN entry_result x ON x.workspace_id = h.workspace_id AND x.attempt_id = h.attempt_id
          AND x.scenario_id = ${definition.id} AND x.metric = ${metric} AND x.figure IS NOT NULL
        JOIN run_scenario s ON s.workspace_id = x.workspace_id AND s.attempt_id = x.attempt_id
          AND s.scenario_id = x.scenario_id
        GROUP BY 1, 2, 3, 4`,
  );
  const load = loadKey(definition, metric);
  const { boundOf } = rankingOf(metric);
  return rows.filter((row) => loadKey(row.definition, metric) === load && boundOf(row) === null);
}
