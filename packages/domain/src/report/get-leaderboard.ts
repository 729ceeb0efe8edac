import { all, sql } from "@rigmark/db";
import { ToolName } from "@rigmark/protocol";
import type { Leaderboard, LeaderboardFilter, LeaderboardRow } from "@rigmark/results";
import { LEFT_OUT, type LeftOut } from "@rigmark/results/leaderboard";
import { rankingOf } from "@rigmark/results/ranking";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { iso } from "../internal/moment";
import { storable } from "../internal/text";

/** Standings that are looked at, newest first. */
const MOST = 2_000;

interface Row {
  workspace_id: string;
  slug: string;
  created_at: Date;
  run_no: number;
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
  left_out: LeftOut | null;
}

/** How servers did under one scenario against nginx in the same run, from reports that are public now. For anybody. */
export async function getLeaderboard({
  ctx,
  input,
}: Call<{ scenario: string; filter: LeaderboardFilter }>): Promise<Leaderboard> {
  const found = await readStandings(ctx, storable(input.scenario));
  const [newest] = found;
  if (!newest)
    throw new DomainError("not_found", "No public report has this scenario; choose another one in Explore.");
  const seen = new Set<string>();
  const judged = found.filter(fits(input.filter)).map((row) => {
    const series = JSON.stringify([row.workspace_id, row.label, row.cpu]);
    const why =
      row.load !== newest.load ? "other-load" : (row.left_out ?? (seen.has(series) ? "older" : null));
    if (why === null) seen.add(series);
    return { row, why };
  });
  const { moreIsBetter } = rankingOf(newest.metric);
  const rows = judged.flatMap(({ row, why }) => (why === null ? (viewOf(row) ?? []) : []));
  return {
    ...{
      scenario: input.scenario,
      title: newest.title,
      tool: ToolName.parse(newest.tool),
      metric: newest.metric,
    },
    rows: rows.sort((a, b) => (moreIsBetter ? -1 : 1) * (a.ratio.estimate - b.ratio.estimate)),
    left_out: LEFT_OUT.flatMap((why) => {
      const entries = judged.filter((each) => each.why === why).length;
      return entries > 0 ? [{ why, entries }] : [];
    }),
    archs: valuesOf(found.map((row) => row.arch)),
    cpus: valuesOf(found.map((row) => row.cpu)),
  };
}

const fits =
  ({ arch, cpu }: LeaderboardFilter) =>
  (row: Row) =>
    (arch === undefined || row.arch === arch) && (cpu === undefined || row.cpu === cpu);

const valuesOf = (texts: readonly string[]): string[] => [...new Set(texts)].filter(Boolean).sort();

function viewOf({ ratio, low, high, ...row }: Row): LeaderboardRow | null {
  if (ratio === null || low === null || high === null) return null;
  return {
    ...{ label: row.label, server: row.server, ratio: { estimate: ratio, low, high } },
    ...{ machine: row.machine, slug: row.slug, run: row.run_no, created_at: iso(row.created_at) },
  };
}

const readStandings = (ctx: Ctx, scenario: string): Promise<Row[]> =>
  all<Row>(
    ctx.db,
    sql`SELECT t.workspace_id, s.slug, p.created_at, t.run_no, t.title, t.tool, t.metric, t.load, t.label, t.server, t.machine,
          t.arch, t.cpu, t.ratio, t.low, t.high, t.left_out
        FROM standing t JOIN report p USING (workspace_id, report_id) JOIN report_slug s USING (workspace_id, report_id)
        JOIN workspace w USING (workspace_id)
        WHERE t.scenario_id = ${scenario} AND p.visibility = 'public' AND p.revoked_at IS NULL
          AND (p.expires_at IS NULL OR p.expires_at > ${ctx.now()}) AND w.deleted_at IS NULL
        ORDER BY p.created_at DESC, p.report_id DESC, t.standing_no LIMIT ${MOST}`,
  );
