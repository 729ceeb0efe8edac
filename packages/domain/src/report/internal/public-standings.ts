import { all, sql } from "@rigmark/db";
import type { Leaderboard, LeaderboardFilter, LeaderboardRow } from "@rigmark/results";
import type { LeftOut } from "@rigmark/results/leaderboard";
import type { Ctx } from "../../context";
import { iso } from "../../internal/moment";

/** Standings that are looked at, newest first. */
const MOST = 5_000;

export interface StandingRow {
  workspace_id: string;
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
}

/** Of reports that anybody may read now, newest first; of one scenario or, with null, of all. */
export const readStandings = (ctx: Ctx, scenario: string | null): Promise<StandingRow[]> =>
  all<StandingRow>(
    ctx.db,
    sql`SELECT t.workspace_id, s.slug, p.created_at, t.run_no, t.scenario_id, t.title, t.tool, t.metric, t.load, t.label, t.server,
          t.machine, t.arch, t.cpu, t.ratio, t.low, t.high, t.verdict, t.left_out
        FROM standing t JOIN report p USING (workspace_id, report_id) JOIN report_slug s USING (workspace_id, report_id)
        JOIN workspace w USING (workspace_id)
        WHERE (${scenario}::text IS NULL OR t.scenario_id = ${scenario}::text) AND p.visibility = 'public' AND p.revoked_at IS NULL
          AND (p.expires_at IS NULL OR p.expires_at > ${ctx.now()}) AND w.deleted_at IS NULL
        ORDER BY p.created_at DESC, p.report_id DESC, t.standing_no LIMIT ${MOST}`,
  );

export const fits =
  ({ arch, cpu }: LeaderboardFilter) =>
  (row: StandingRow) =>
    (arch === undefined || row.arch === arch) && (cpu === undefined || row.cpu === cpu);

export const valuesOf = (texts: readonly string[]): string[] => [...new Set(texts)].filter(Boolean).sort();

export interface Judged {
  row: StandingRow;
  /** Null: it stands in the table. */
  why: LeftOut | null;
}

/**
 * Which standings of one scenario are in its table. Loads under one name may differ: the one that most workspaces measured is
 * the table's, so that nobody empties it with a scenario of their own.
 */
export function judge(rows: readonly StandingRow[]): Judged[] {
  const load = commonLoad(rows);
  const seen = new Set<string>();
  return rows.map((row) => {
    const series = JSON.stringify([row.workspace_id, row.label, row.cpu]);
    const why = row.load !== load ? "other-load" : (row.left_out ?? (seen.has(series) ? "older" : null));
    if (why === null) seen.add(series);
    return { row, why };
  });
}

/** The first of equals is the newest one. */
function commonLoad(rows: readonly StandingRow[]): string | null {
  const workspaces = new Map<string, Set<string>>();
  for (const { load, workspace_id } of rows)
    workspaces.set(load, (workspaces.get(load) ?? new Set()).add(workspace_id));
  let common: [string, number] | null = null;
  for (const [load, { size }] of workspaces) if (common === null || size > common[1]) common = [load, size];
  return common?.[0] ?? null;
}

/** As a table has it; null where it has no ratio. */
export function rowOf({ ratio, low, high, verdict, ...row }: StandingRow): LeaderboardRow | null {
  if (ratio === null || low === null || high === null || verdict === null) return null;
  return {
    ...{ label: row.label, server: row.server, ratio: { estimate: ratio, low, high }, verdict },
    ...{ machine: row.machine, slug: row.slug, run: row.run_no, created_at: iso(row.created_at) },
  };
}
