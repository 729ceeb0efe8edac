import { all, type Query, sql } from "@rigmark/db";
import type { LogView } from "@rigmark/results";
import type { Ctx } from "../../context";

interface Row extends Omit<LogView, "t_s"> {
  t_us: number;
}

/** Newest lines that fit, in order. */
export async function readLogs(
  ctx: Ctx,
  key: { workspaceId: string; attemptId: string; beginUs: number },
  where: Query,
  limit: number,
): Promise<LogView[]> {
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT seq, t_us, source, level, entry_key, trial_id, line FROM log
        WHERE workspace_id = ${key.workspaceId} AND attempt_id = ${key.attemptId} AND ${where}
        ORDER BY seq DESC LIMIT ${limit}`,
  );
  return rows.reverse().map(({ t_us, ...row }) => ({ ...row, t_s: (t_us - key.beginUs) / 1e6 }));
}
