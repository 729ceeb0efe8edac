import { all, one, sql, type Tx } from "@rigmark/db";
import type { Ctx } from "../../context";
import { refusalToStore } from "../../internal/quota";

/**
 * Ends what waits for a host where its workspace may store no more: there was room when it was queued. A run that has begun
 * goes on.
 */
export async function endWithoutRoom(
  tx: Tx,
  ctx: Ctx,
  { workspaceId, hostId, now }: { workspaceId: string; hostId: string; now: Date },
): Promise<string[]> {
  if (ctx.config.quotas.storedBytes === null) return [];
  const waits = await one(
    tx,
    sql`SELECT 1 FROM run r JOIN run_host h USING (workspace_id, run_id)
        WHERE r.workspace_id = ${workspaceId} AND h.host_id = ${hostId} AND r.state = 'queued' LIMIT 1`,
  );
  const refusal = waits ? await refusalToStore(tx, ctx, workspaceId) : null;
  if (!refusal) return [];
  const why = `${refusal.message} Then run it again.`;
  const ended = await all<{ run_id: string }>(
    tx,
    sql`UPDATE run r SET state = 'cancelled', finished_at = ${now}, revision = r.revision + 1, error_code = 'no-room',
          error_message = ${why}
        FROM run_host h
        WHERE h.workspace_id = r.workspace_id AND h.run_id = r.run_id AND r.workspace_id = ${workspaceId}
          AND h.host_id = ${hostId} AND r.state = 'queued'
        RETURNING r.run_id`,
  );
  return ended.map((row) => row.run_id);
}
