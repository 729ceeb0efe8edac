import { all, sql } from "@rigmark/db";
import type { Environment } from "@rigmark/protocol";
import type { BetweenTwoRuns, ComparedScenario, EntrySummary } from "@rigmark/results";
import { compareEnvironments } from "@rigmark/results/comparable";
import type { MatchedSeries } from "@rigmark/results/match-series";
import { rankingOf } from "@rigmark/results/ranking";
import { type BetweenRunsInput, betweenRuns } from "@rigmark/stats";
import type { Ctx } from "../../context";
import type { Group, Side } from "../compare";

/** Earlier runs of a host that are looked at, newest first. */
const RUNS = 200;

interface Compared {
  workspaceId: string;
  sides: readonly Side[];
  series: readonly MatchedSeries[];
  groups: readonly Group[];
}

type Pair = Pick<BetweenTwoRuns, "series" | "a" | "b"> & { group: number };

/** For each group of scenarios: its series in runs on one host, each against the first of them. */
export async function compareBetween(ctx: Ctx, compared: Compared): Promise<ComparedScenario["between"][]> {
  const { sides, groups } = compared;
  const pairs = pairsOf(compared);
  if (pairs.length === 0) return groups.map(() => []);
  const input: BetweenRunsInput["pairs"] = pairs.map((pair, place) => {
    const group = groups[pair.group] as Group;
    const ranking = rankingOf(group.metric);
    const [a, b] = [entryOf(compared, pair, pair.a), entryOf(compared, pair, pair.b)];
    const [first, second] = [sides[pair.a] as Side, sides[pair.b] as Side];
    return {
      key: String(place),
      scenario: String(pair.group),
      host: first.view.host.host_id ?? "",
      metric: group.metric,
      a: figureOf(ranking, a),
      b: figureOf(ranking, b),
      bound: [a, b].some((e) => e && ranking.boundOf(e) !== null),
      same_environment: sameEnvironment(first.view.environment, second.view.environment),
    };
  });
  const found = betweenRuns({ schema: 1, pairs: input, history: await readHistory(ctx, compared, pairs) });
  return groups.map((_, group) =>
    pairs.flatMap((pair, place): BetweenTwoRuns[] => {
      const summary = found.pairs[place];
      if (pair.group !== group || !summary) return [];
      const { key: _, sentence_zh: __, reason_zh: ___, ...rest } = summary;
      return [{ series: pair.series, a: pair.a, b: pair.b, ...rest }];
    }),
  );
}

const sameEnvironment = (a: Environment | null, b: Environment | null): boolean =>
  a !== null && b !== null && compareEnvironments(a, b).length === 0;

const fingerprint = (side: Side): string | null => side.view.environment?.fingerprint ?? null;

const entryOf = ({ groups, series }: Compared, pair: Pair, run: number): EntrySummary | undefined => {
  const key = series[pair.series]?.keys[run];
  return groups[pair.group]?.of.find((o) => o.run === run)?.summary.entries.find((e) => e.entry_key === key);
};

/** The median, of an entry that compares with others and did what was asked of it. */
const figureOf = (ranking: ReturnType<typeof rankingOf>, entry: EntrySummary | undefined): number | null =>
  entry && entry.unranked_code === null && entry.not_sustained === null
    ? (ranking.spreadOf(entry)?.median ?? null)
    : null;

function pairsOf({ sides, series, groups }: Compared): Pair[] {
  return groups.flatMap((group, at) =>
    series.flatMap(({ keys }, place) => {
      const first = new Map<string, number>();
      return group.of.flatMap(({ run }): Pair[] => {
        const side = sides[run];
        const host = side?.view.host.host_id ?? null;
        // What somebody published from a file or in a report says nothing about the host's own history.
        if (!side || keys[run] === null || host === null || side.view.published_by !== null) return [];
        const a = first.get(host);
        if (a !== undefined) return [{ group: at, series: place, a, b: run }];
        first.set(host, run);
        return [];
      });
    }),
  );
}

interface Row {
  host_id: string;
  entry_key: string;
  medians: number[];
}

/** Medians of unchanged builds in other runs of the host in the environment of the run that the others are seen from. */
async function readHistory(
  ctx: Ctx,
  { workspaceId, sides, groups }: Compared,
  pairs: readonly Pair[],
): Promise<BetweenRunsInput["history"][number][]> {
  const wanted = [...new Map(pairs.map((p) => [`${p.group} ${p.a}`, p])).values()];
  const compared = sides.flatMap((side) => side.attemptId ?? []);
  const found = await Promise.all(
    wanted.map(async ({ group, a }) => {
      const side = sides[a];
      const of = groups[group];
      const environment = side && fingerprint(side);
      if (!side || !of || environment === null) return [];
      const rows = await all<Row>(
        ctx.db,
        sql`SELECT h.host_id, x.entry_key, array_agg(x.figure) AS medians
            FROM (SELECT a.workspace_id, a.attempt_id, a.host_id FROM attempt a
                  JOIN run r ON r.workspace_id = a.workspace_id AND r.run_id = a.run_id AND r.attempt_no = a.attempt_no
                  WHERE a.workspace_id = ${workspaceId} AND a.host_id = ${side.view.host.host_id}
                    AND r.state = 'succeeded' AND r.deleted_at IS NULL AND r.published_by IS NULL
                    AND NOT a.attempt_id = ANY(${compared}::uuid[])
                    AND a.environment->>'fingerprint' = ${environment}
                  ORDER BY a.created_at DESC LIMIT ${RUNS}) h
            JOIN entry_result x ON x.workspace_id = h.workspace_id AND x.attempt_id = h.attempt_id
              AND x.scenario_id = ${of.definition.id} AND x.metric = ${of.metric} AND x.figure IS NOT NULL
              AND NOT coalesce((x.brief->>'lower_bound')::boolean, false)
            GROUP BY h.host_id, x.entry_key`,
      );
      return rows.map((row) => ({ scenario: String(group), host: row.host_id, medians: row.medians }));
    }),
  );
  return found.flat();
}
