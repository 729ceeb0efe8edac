import { all, sql } from "@rigmark/db";
import type { Reason, RunSpec, RunState, Source, StreamName } from "@rigmark/protocol";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { refuseDeleted } from "../deleted";
import { noSuch } from "../no-such";

export interface RunRow {
  run_id: string;
  title: string;
  spec: RunSpec;
  requested_by: string | null;
  published_by: string | null;
  repeats: string | null;
  state: RunState;
  unreachable: boolean;
  attempt_no: number;
  created_at: Date;
  leased_at: Date | null;
  started_at: Date | null;
  finished_at: Date | null;
  deadline_at: Date | null;
  cancel_requested_at: Date | null;
  error_code: string | null;
  error_message: string | null;
  planned_s: number | null;
  missing: { stream: StreamName; from_seq: number; to_seq: number | null }[] | null;
  corrupt_records: number;
  trials_total: number | null;
  trials_done: number;
  trials_valid: number;
  trials_invalid: number;
  headline: string | null;
  source: Source | null;
  note: string | null;
  tags: string[];
  deleted_at: Date | null;
  expires_at: Date | null;
  revision: number;
  host_id: string;
  baseline: string | null;
  requested_by_name: string | null;
  /** Null where somebody queued it; the name is also null once the schedule is deleted. */
  schedule_id: string | null;
  schedule_name: string | null;
  /** Of the newest attempt; null before the first. */
  attempt_id: string | null;
  begin_us: number | null;
}

const UNKNOWN = noSuch("run");

export async function findRun(ctx: Ctx, workspaceId: string, runId: string): Promise<RunRow> {
  const row = await findAnyRun(ctx, workspaceId, runId);
  refuseDeleted(ctx, row.deleted_at, UNKNOWN);
  return row;
}

/** In the order in which they are asked for. */
export async function findRuns(ctx: Ctx, workspaceId: string, runIds: readonly string[]): Promise<RunRow[]> {
  const rows = await findAnyRuns(ctx, workspaceId, runIds);
  for (const { deleted_at } of rows) refuseDeleted(ctx, deleted_at, UNKNOWN);
  return rows;
}

/** Also a deleted one: for what is still written of it, so that it is whole when somebody restores it. */
export async function findAnyRun(ctx: Ctx, workspaceId: string, runId: string): Promise<RunRow> {
  const [row] = await findAnyRuns(ctx, workspaceId, [runId]);
  return row as RunRow;
}

async function findAnyRuns(ctx: Ctx, workspaceId: string, asked: readonly string[]): Promise<RunRow[]> {
  // As the database writes them.
  const runIds = asked.map((runId) => runId.toLowerCase());
  const found = await all<RunRow>(
    ctx.db,
    sql`SELECT r.*, h.host_id, b.label AS baseline, u.name AS requested_by_name, s.name AS schedule_name,
          a.attempt_id, a.begin_us
        FROM run r
        JOIN run_host h USING (workspace_id, run_id)
        LEFT JOIN baseline b USING (workspace_id, run_id)
        LEFT JOIN "user" u ON u.id = r.requested_by
        LEFT JOIN schedule s ON s.workspace_id = r.workspace_id AND s.schedule_id = r.schedule_id
        LEFT JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        WHERE r.workspace_id = ${workspaceId} AND r.run_id = ANY(${runIds}::uuid[])`,
  );
  const byId = new Map(found.map((row) => [row.run_id, row]));
  return runIds.map((runId) => {
    const row = byId.get(runId);
    if (!row) throw new DomainError("not_found", UNKNOWN);
    return row;
  });
}

export const errorOf = (row: Pick<RunRow, "error_code" | "error_message">): Reason | null =>
  row.error_code && row.error_message ? { code: row.error_code, message: row.error_message } : null;
