import { all, sql } from "@rigmark/db";
import type { Leaderboard, LeaderboardFilter, LeaderboardRow } from "@rigmark/results";
import type { LeftOut } from "@rigmark/results/leaderboard";
import type { Ctx } from "../../context";
import { briefly } from "../../internal/briefly";
import { iso } from "../../internal/moment";

/** Standings that are looked at, newest first, in all and of one workspace: nobody fills the tables alone. */
const [MOST, MOST_OF_WORKSPACE] = [10_000, 1_000];
/** What is public now is looked at as often. */
const FRESH_MS = 1_000;
/** Values that are offered to filter by. */
const MOST_VALUES = 50;

/** The newest of its series: a label on a CPU, under a load, in a workspace. */
export interface StandingRow {
  /** Who made the report. */
  author: string;
  slug: string;
  created_at: Date;
  run_no: number;
  scenario_id: string;
  title: string;
  tool: string;
  metric: Leaderboard["metric"];
  load: string;
  label: string;
  server: string;
  machine: string;
  arch: string;
  cpu: string;
  ratio: number | null;
  low: number | null;
  high: number | null;
  verdict: LeaderboardRow["verdict"] | null;
  left_out: LeftOut | null;
  /** Of the same series. */
  older: number;
}

/** Of reports that anybody may read now, newest first; of one scenario or, with null, of all. */
export const readStandings = (ctx: Ctx, scenario: string | null): Promise<StandingRow[]> =>
  briefly(ctx, `standings ${scenario}`, FRESH_MS, () => readNow(ctx, scenario));

const readNow = (ctx: Ctx, scenario: string | null): Promise<StandingRow[]> =>
  all<StandingRow>(
    ctx.db,
    sql`WITH told AS (
          SELECT coalesce(p.created_by, t.workspace_id::text) AS author, t.workspace_id, s.slug, p.created_at, p.report_id,
            t.standing_no, t.run_no, t.scenario_id, t.title, t.tool, t.metric, t.load, t.label, t.server, t.machine, t.arch, t.cpu,
            t.ratio, t.low, t.high, t.verdict, t.left_out, (count(*) OVER same)::int - 1 AS older,
            row_number() OVER (same ORDER BY p.created_at DESC, p.report_id DESC, t.standing_no) AS place
          FROM standing t JOIN report p USING (workspace_id, report_id) JOIN report_slug s USING (workspace_id, report_id)
          JOIN workspace w USING (workspace_id)
          WHERE (${scenario}::text IS NULL OR t.scenario_id = ${scenario}::text) AND p.visibility = 'public'
            AND p.revoked_at IS NULL AND (p.expires_at IS NULL OR p.expires_at > ${ctx.now()}) AND w.deleted_at IS NULL
          WINDOW same AS (PARTITION BY t.workspace_id, t.scenario_id, t.load, t.label, t.server, t.cpu, t.left_out IS NULL)
        ), newest AS (
          SELECT *, row_number() OVER (PARTITION BY workspace_id ORDER BY created_at DESC, report_id DESC, standing_no) AS own
          FROM told WHERE place = 1
        )
        SELECT author, slug, created_at, run_no, scenario_id, title, tool, metric, load, label, server, machine, arch, cpu, ratio, low,
          high, verdict, left_out, older
        FROM newest WHERE own <= ${MOST_OF_WORKSPACE}
        ORDER BY created_at DESC, report_id DESC, standing_no LIMIT ${MOST}`,
  );

export const fits =
  ({ arch, cpu }: LeaderboardFilter) =>
  (row: StandingRow) =>
    (arch === undefined || row.arch === arch) && (cpu === undefined || row.cpu === cpu);

export const valuesOf = (texts: readonly string[]): string[] =>
  [...new Set(texts)].filter(Boolean).slice(0, MOST_VALUES).sort();

/** What there is to filter by: of each what fits the other one that is chosen, so that no choice leads to nothing. */
export const machinesOf = (
  rows: readonly StandingRow[],
  { arch, cpu }: LeaderboardFilter,
): Pick<Leaderboard, "archs" | "cpus"> => ({
  archs: valuesOf(rows.filter(fits({ cpu })).map((row) => row.arch)),
  cpus: valuesOf(rows.filter(fits({ arch })).map((row) => row.cpu)),
});

export interface Judged {
  row: StandingRow;
  /** Null: it stands in the table. */
  why: LeftOut | null;
}

/**
 * Which standings of one scenario are in its table. Loads under one name may differ: the one that most authors measured is the
 * table's, so that nobody empties it with a scenario of their own.
 */
export function judge(rows: readonly StandingRow[]): Judged[] {
  const load = commonest(rows, (row) => row.load);
  return rows.map((row) => ({ row, why: row.load === load ? row.left_out : "other-load" }));
}

/** A standing with the load of the table, which need not be in it. */
export const withItsLoad = (judged: readonly Judged[]): StandingRow | undefined =>
  judged.find(({ why }) => why !== "other-load")?.row;

/** Of each scenario the entries that are in its table. */
export function countedByScenario(found: readonly StandingRow[]): StandingRow[][] {
  const byScenario = new Map<string, StandingRow[]>();
  for (const row of found) {
    const rows = byScenario.get(row.scenario_id);
    if (rows) rows.push(row);
    else byScenario.set(row.scenario_id, [row]);
  }
  return [...byScenario.values()]
    .map((rows) => judge(rows).flatMap(({ row, why }) => (why === null ? row : [])))
    .filter((rows) => rows.length > 0);
}

/** What most authors have; of equals the newest. Null of nobody. */
export function commonest(rows: readonly StandingRow[], of: (row: StandingRow) => string): string | null {
  const authors = new Map<string, Set<string>>();
  for (const row of rows) {
    const known = authors.get(of(row)) ?? new Set();
    authors.set(of(row), known.add(row.author));
  }
  let best: [string, number] | null = null;
  for (const [value, { size }] of authors) if (best === null || size > best[1]) best = [value, size];
  return best?.[0] ?? null;
}

/** What most authors call the scenario. */
export const titleOf = (judged: readonly Judged[]): string | null =>
  commonest(
    judged.flatMap(({ row, why }) => (why === null ? row : [])),
    (row) => row.title,
  );

/** As a table has it; null where it has no ratio. */
export function rowOf({ ratio, low, high, verdict, ...row }: StandingRow): LeaderboardRow | null {
  if (ratio === null || low === null || high === null || verdict === null) return null;
  return {
    ...{ label: row.label, server: row.server, ratio: { estimate: ratio, low, high }, verdict },
    ...{ machine: row.machine, slug: row.slug, run: row.run_no, created_at: iso(row.created_at) },
  };
}
