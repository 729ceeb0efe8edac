import { run, sql } from "@rigmark/db";
import type { Ctx } from "../context";
import { requireSystem } from "../internal/access";
import { oldestKept } from "../internal/deleted";

/**
 * Removes workspaces that can no longer be restored, with all that they hold. Their runs go first, a few with each sweep
 * (`purgeRuns`); what then is left is small. Several processes may do it at the same time. Returns how many were removed.
 */
export async function purgeWorkspaces({ ctx }: { ctx: Ctx }): Promise<number> {
  requireSystem(ctx);
  const oldest = oldestKept(ctx.now());
  await run(
    ctx.db,
    sql`UPDATE run r SET deleted_at = w.deleted_at FROM workspace w
        WHERE w.deleted_at <= ${oldest} AND r.workspace_id = w.workspace_id
          AND (r.deleted_at IS NULL OR r.deleted_at > w.deleted_at)`,
  );
  return run(
    ctx.db,
    sql`DELETE FROM workspace WHERE workspace_id IN (
          SELECT w.workspace_id FROM workspace w WHERE w.deleted_at <= ${oldest}
            AND NOT EXISTS (SELECT 1 FROM run r WHERE r.workspace_id = w.workspace_id)
          LIMIT 1 FOR UPDATE SKIP LOCKED)`,
  );
}
