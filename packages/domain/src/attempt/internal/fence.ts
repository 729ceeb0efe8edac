import { one, type Queryable, sql } from "@rigmark/db";
import type { RunState } from "@rigmark/protocol";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { enterAsAgent } from "../../internal/access";

export interface Fenced {
  workspaceId: string;
  hostId: string;
  runId: string;
  attemptId: string;
  attemptNo: number;
  live: boolean;
  startedAt: Date | null;
  finishedAt: Date | null;
  state: RunState;
  cancelRequestedAt: Date | null;
}

interface Row {
  run_id: string;
  attempt_no: number;
  live: boolean;
  started_at: Date | null;
  finished_at: Date | null;
  state: RunState;
  newest: number;
  cancel_requested_at: Date | null;
}

export const superseded = (): DomainError =>
  new DomainError(
    "superseded",
    "This attempt was given up before it started, or its run has a newer attempt; drop it.",
  );

/**
 * Lets an agent through to its own attempt, and only while that is the newest of its run. Given up before it
 * started, or overtaken: 410, and the agent drops it.
 */
export async function enterAttempt(
  ctx: Ctx,
  on: Queryable,
  input: { attemptId: string; attemptNo: number },
): Promise<Fenced> {
  const { workspaceId, hostId } = enterAsAgent(ctx);
  const row = await one<Row>(
    on,
    sql`SELECT a.run_id, a.attempt_no, a.live, a.started_at, a.finished_at, r.state, r.attempt_no AS newest, r.cancel_requested_at
        FROM attempt a JOIN run r USING (workspace_id, run_id)
        WHERE a.workspace_id = ${workspaceId} AND a.attempt_id = ${input.attemptId} AND a.host_id = ${hostId}`,
  );
  if (!row) throw new DomainError("not_found", "This host has no such attempt.");
  if (row.attempt_no !== input.attemptNo) {
    throw new DomainError("invalid", `The attempt has number ${row.attempt_no}, not ${input.attemptNo}.`);
  }
  const givenUp = !row.live && row.started_at === null;
  if (row.newest !== row.attempt_no || givenUp) throw superseded();
  return {
    workspaceId,
    hostId,
    runId: row.run_id,
    attemptId: input.attemptId,
    attemptNo: row.attempt_no,
    live: row.live,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    state: row.state,
    cancelRequestedAt: row.cancel_requested_at,
  };
}
