import { all, sql } from "@rigmark/db";
import type { Ctx } from "../context";
import { requireSystem } from "../internal/access";
import { topics } from "../internal/bus";
import { onlineSince } from "../internal/host/summary";

/** Ends runs that waited in the queue for as long as their schedule lets them, and says what they waited for. */
export async function expireRuns({ ctx }: { ctx: Ctx }): Promise<number> {
  requireSystem(ctx);
  const now = ctx.now();
  const rows = await all<{ run_id: string }>(
    ctx.db,
    sql`UPDATE run r SET state = 'cancelled', finished_at = ${now}, revision = r.revision + 1, error_code = 'expired',
          error_message = format('The host was %s until %s UTC; the run expired. Run it again when the host has time.',
            CASE WHEN h.last_seen_at > ${onlineSince(now)} THEN 'busy' ELSE 'offline' END,
            to_char(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'))
        FROM run_host x JOIN host h USING (workspace_id, host_id)
        WHERE x.workspace_id = r.workspace_id AND x.run_id = r.run_id AND r.state = 'queued' AND r.finished_at IS NULL
          AND r.expires_at <= ${now}
        RETURNING r.run_id`,
  );
  for (const { run_id } of rows) ctx.bus.hint(topics.run(run_id));
  return rows.length;
}
