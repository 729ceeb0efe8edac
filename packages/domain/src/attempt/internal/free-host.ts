import { one, run, sql, type Tx } from "@rigmark/db";
import { transition } from "./transition";

const RESTARTED = {
  code: "agent-idle",
  message: "The agent was restarted before this run was finished; queue the run again.",
};

/**
 * An agent that asks for new work under a new request is idle. Whatever we took it to be doing is over: a lease that
 * it never started goes back to the queue, a run that it began is incomplete until its leftover data arrive.
 */
export async function freeHost(
  tx: Tx,
  { workspaceId, hostId, now }: { workspaceId: string; hostId: string; now: Date },
): Promise<string[]> {
  const old = await one<{ attempt_id: string; run_id: string; attempt_no: number; started_at: Date | null }>(
    tx,
    sql`UPDATE attempt SET live = false WHERE workspace_id = ${workspaceId} AND host_id = ${hostId} AND live
        RETURNING attempt_id, run_id, attempt_no, started_at`,
  );
  if (!old) return [];
  const key = { workspaceId, runId: old.run_id };
  if (old.started_at === null) {
    await requeue(tx, key, old.attempt_no, now);
  } else {
    const known = await one(
      tx,
      sql`SELECT 1 FROM run WHERE workspace_id = ${workspaceId} AND run_id = ${old.run_id} AND error_code IS NOT NULL`,
    );
    await transition(tx, key, {
      to: "incomplete",
      from: ["preparing", "measuring", "uploading", "cancelling"],
      attemptNo: old.attempt_no,
      now,
      ...(known ? {} : { error: RESTARTED }),
    });
  }
  return [old.run_id];
}

/** A lease that was never started: back to the queue, or cancelled when that was asked for. */
export async function requeue(
  tx: Tx,
  key: { workspaceId: string; runId: string },
  attemptNo: number,
  now: Date,
): Promise<void> {
  await run(
    tx,
    sql`UPDATE run SET state = CASE WHEN cancel_requested_at IS NULL THEN 'queued' ELSE 'cancelled' END,
          finished_at = CASE WHEN cancel_requested_at IS NULL THEN NULL ELSE ${now}::timestamptz END,
          leased_at = NULL, deadline_at = NULL, unreachable = false, revision = revision + 1
        WHERE workspace_id = ${key.workspaceId} AND run_id = ${key.runId} AND attempt_no = ${attemptNo}
          AND state IN ('leased', 'cancelling')`,
  );
}
