import { one, run, sql, type Tx } from "@rigmark/db";
import type { RunState } from "@rigmark/protocol";
import type { RunCancelled } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { topics } from "../internal/bus";
import { findRun } from "../internal/run/find";

/**
 * A run that no host has begun is cancelled at once, another one with its agent's next heartbeat. One that is over stays
 * as it is.
 */
export async function cancelRun({
  ctx,
  input,
}: Call<{ workspace: string; runId: string }>): Promise<RunCancelled> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const now = ctx.now();
  const changed = await ctx.db.tx(async (tx) => {
    const unstarted = await giveUpUnstarted(tx, workspaceId, input.runId);
    return one<{ state: RunState }>(
      tx,
      sql`UPDATE run SET revision = revision + 1, cancel_requested_at = ${now}, cancel_reason = 'person',
            state = CASE WHEN state = 'queued' OR ${unstarted} THEN 'cancelled' ELSE 'cancelling' END,
            finished_at = CASE WHEN state = 'queued' OR ${unstarted} THEN ${now}::timestamptz END
          WHERE workspace_id = ${workspaceId} AND run_id = ${input.runId}
            AND (state IN ('queued', 'leased', 'preparing', 'measuring', 'uploading') OR ${unstarted})
          RETURNING state`,
    );
  });
  if (changed) ctx.bus.hint(topics.run(input.runId));
  return { state: changed?.state ?? (await findRun(ctx, workspaceId, input.runId)).state };
}

/**
 * Of an attempt that has not started nothing is spawned, so there is nothing to wait for: its `start` will be refused.
 * The host is locked first, as for a claim, so that none comes in between.
 */
async function giveUpUnstarted(tx: Tx, workspaceId: string, runId: string): Promise<boolean> {
  await run(
    tx,
    sql`SELECT 1 FROM host JOIN run_host USING (workspace_id, host_id)
        WHERE workspace_id = ${workspaceId} AND run_id = ${runId} FOR UPDATE OF host`,
  );
  const given = await run(
    tx,
    sql`UPDATE attempt SET live = false
        WHERE workspace_id = ${workspaceId} AND run_id = ${runId} AND live AND started_at IS NULL`,
  );
  return given > 0;
}
