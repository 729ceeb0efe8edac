import { all, sql } from "@rigmark/db";
import type { Ctx } from "../context";
import { requireSystem } from "../internal/access";
import { audit, runsInWords } from "../internal/audit";
import { topics } from "../internal/bus";
import { beforeDays, isOld } from "./internal/old-runs";

/** Runs of one workspace that are deleted at once; more of them wait for the next time. */
const AT_ONCE = 500;

/** Deletes what is older than the rule of its workspace says. It can be restored, as if a person had. Returns how many. */
export async function applyRetention({ ctx }: { ctx: Ctx }): Promise<number> {
  requireSystem(ctx);
  const workspaces = await ctx.db.prisma.workspace.findMany({
    where: { retention_days: { not: null }, deleted_at: null },
    select: { workspace_id: true, retention_days: true },
  });
  let deleted = 0;
  for (const { workspace_id, retention_days } of workspaces)
    if (retention_days !== null) deleted += await tryDeleteOld(ctx, workspace_id, retention_days);
  return deleted;
}

/** What fails in one workspace must not hold up the others. */
async function tryDeleteOld(ctx: Ctx, workspaceId: string, days: number): Promise<number> {
  try {
    return await deleteOld(ctx, workspaceId, days);
  } catch (error) {
    ctx.log.error({ err: error, workspace_id: workspaceId }, "Old runs of a workspace could not be deleted.");
    return 0;
  }
}

async function deleteOld(ctx: Ctx, workspaceId: string, days: number): Promise<number> {
  const now = ctx.now();
  const rows = await ctx.db.tx(async (tx) => {
    const gone = await all<{ run_id: string; title: string }>(
      tx,
      sql`UPDATE run SET deleted_at = ${now}, revision = revision + 1
          WHERE (workspace_id, run_id) IN (
            SELECT r.workspace_id, r.run_id FROM run r
            WHERE ${isOld(workspaceId, beforeDays(now, days), now)}
            ORDER BY r.finished_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
          RETURNING run_id, title`,
    );
    if (gone.length > 0) {
      const subject = `${runsInWords(gone.map((row) => row.title))}, older than ${days} days`;
      await audit(tx, ctx, { workspaceId, what: "runs-deleted", subject });
    }
    return gone;
  });
  for (const { run_id } of rows) ctx.bus.hint(topics.run(run_id));
  return rows.length;
}
