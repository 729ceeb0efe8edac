import { all, sql } from "@rigmark/db";
import { ToolName } from "@rigmark/protocol";
import type { LeaderboardName } from "@rigmark/results";
import type { Ctx } from "../context";
import { briefly } from "../internal/briefly";

/** Scenarios that are offered. */
const MOST = 100;
const FRESH_MS = 1_000;

/** The scenarios of which public reports have ratios to nginx, those with most entries first. For anybody. */
export const listLeaderboards = ({ ctx }: { ctx: Ctx }): Promise<LeaderboardName[]> =>
  briefly(ctx, "leaderboards", FRESH_MS, () => readNames(ctx));

async function readNames(ctx: Ctx): Promise<LeaderboardName[]> {
  const rows = await all<{ scenario: string; title: string; tool: string; entries: number }>(
    ctx.db,
    sql`SELECT t.scenario_id AS scenario, mode() WITHIN GROUP (ORDER BY t.title) AS title, max(t.tool) AS tool, count(DISTINCT (t.label, t.cpu))::int AS entries
        FROM standing t JOIN report p USING (workspace_id, report_id) JOIN workspace w USING (workspace_id)
        WHERE t.left_out IS NULL AND p.visibility = 'public' AND p.revoked_at IS NULL
          AND (p.expires_at IS NULL OR p.expires_at > ${ctx.now()}) AND w.deleted_at IS NULL
        GROUP BY t.scenario_id ORDER BY entries DESC, t.scenario_id LIMIT ${MOST}`,
  );
  return rows.map(({ tool, ...row }) => ({ ...row, tool: ToolName.parse(tool) }));
}
