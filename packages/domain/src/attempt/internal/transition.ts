import { one, type Queryable, sql } from "@rigmark/db";
import { FINAL_STATES, type RunState } from "@rigmark/protocol";

export interface Change {
  to: RunState;
  from: readonly RunState[];
  attemptNo: number;
  now: Date;
  error?: { code: string; message: string } | null;
}

/**
 * How an attempt, or time, moves its run on: the run must be in one of the states and still belong to this attempt.
 * Returns whether it was. Whoever ends a run from outside (a person, a schedule, the end of its host or workspace) writes
 * the state itself.
 */
export async function transition(
  on: Queryable,
  key: { workspaceId: string; runId: string },
  { to, from, attemptNo, now, error }: Change,
): Promise<boolean> {
  const final = FINAL_STATES.includes(to);
  const row = await one(
    on,
    sql`UPDATE run SET state = ${to}, unreachable = false, revision = revision + 1,
          finished_at = CASE WHEN ${final} THEN ${now}::timestamptz END,
          started_at = CASE WHEN ${to} = 'preparing' THEN coalesce(started_at, ${now}::timestamptz) ELSE started_at END,
          error_code = CASE WHEN ${error !== undefined} THEN ${error?.code ?? null}::text ELSE error_code END,
          error_message = CASE WHEN ${error !== undefined} THEN ${error?.message ?? null}::text ELSE error_message END
        WHERE workspace_id = ${key.workspaceId} AND run_id = ${key.runId}
          AND state = ANY(${from}::text[]) AND attempt_no = ${attemptNo}
        RETURNING run_id`,
  );
  return row !== null;
}
