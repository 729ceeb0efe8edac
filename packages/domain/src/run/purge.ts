import { run, sql } from "@rigmark/db";
import type { Ctx } from "../context";
import { requireSystem } from "../internal/access";
import { oldestKept } from "../internal/deleted";

/** A run may have a million samples; more of them wait for the next sweep. */
const AT_ONCE = 5;

/**
 * Removes runs that can no longer be restored, with everything that was measured in them. Several processes may do it at the
 * same time. Reports hold what they show, so they stay. Returns how many were removed.
 */
export async function purgeRuns({ ctx }: { ctx: Ctx }): Promise<number> {
  requireSystem(ctx);
  return run(
    ctx.db,
    sql`DELETE FROM run WHERE (workspace_id, run_id) IN (
          SELECT workspace_id, run_id FROM run WHERE deleted_at <= ${oldestKept(ctx.now())}
          ORDER BY deleted_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)`,
  );
}
