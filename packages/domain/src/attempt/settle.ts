import { all, type Db, sql } from "@rigmark/db";
import type { Ctx } from "../context";
import { requireSystem } from "../internal/access";
import { topics } from "../internal/bus";
import { later } from "../internal/moment";
import { writeHeadline } from "../internal/run/write-headline";

/** Whoever ended an attempt writes its results within so long, unless it died. */
const OWN_S = 30;
/** Nobody waits for the verdict of a run that ended longer ago. */
const LATE_S = 7 * 86_400;
/** Summing up takes long, and others wait for the same thread. */
const AT_ONCE = 5;
/** One that could not be summed up is tried again after this. */
const AGAIN_S = 3600;

/** When attempts were last tried in this process: those that cannot be summed up must not hold up the others. */
const triedBy = new WeakMap<Db, Map<string, Date>>();

/**
 * Writes the results of attempts that ended without: the process died, or the database failed, between the end and the
 * summary. Several processes may do it at the same time: they write the same. Returns how many were tried.
 */
export async function settleAttempts({ ctx }: { ctx: Ctx }): Promise<number> {
  requireSystem(ctx);
  const now = ctx.now();
  const tried = triedBy.get(ctx.db) ?? new Map<string, Date>();
  triedBy.set(ctx.db, tried);
  for (const [attemptId, at] of tried) if (at <= later(now, -AGAIN_S)) tried.delete(attemptId);
  const rows = await all<{ workspace_id: string; run_id: string; attempt_id: string }>(
    ctx.db,
    sql`SELECT r.workspace_id, r.run_id, a.attempt_id
        FROM workspace w JOIN run r USING (workspace_id)
        JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        WHERE w.deleted_at IS NULL AND r.deleted_at IS NULL AND r.finished_at > ${later(now, -LATE_S)}
          AND a.finished_at < ${later(now, -OWN_S)} AND a.results_at IS NULL
          AND NOT a.attempt_id = ANY(${[...tried.keys()]}::uuid[])
        ORDER BY r.finished_at LIMIT ${AT_ONCE}`,
  );
  for (const { workspace_id, run_id, attempt_id } of rows) {
    tried.set(attempt_id, now);
    await writeHeadline(ctx, { workspaceId: workspace_id, runId: run_id });
    ctx.bus.hint(topics.run(run_id));
  }
  return rows.length;
}
