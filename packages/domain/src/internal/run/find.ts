import { all, sql } from "@rigmark/db";
import type { Reason, RunSpec, RunState, Source, StreamName } from "@rigmark/protocol";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { keptUntil, oldestKept, refuseDeleted } from "../deleted";
import { inWords } from "../moment";
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
  /** Null where it is no schedule’s; the name is also null once the schedule is deleted. */
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

export interface PresentRuns {
  /** In the order in which they are asked for. */
  rows: RunRow[];
  /** The others: deleted, or not of this workspace. */
  gone: string[];
  /** A sentence for each run that was deleted and can be restored, and one for the rest. */
  notes: string[];
}

/** Runs of a link, which may be older than some of them. Refused only where none of them is there. */
export async function findPresentRuns(
  ctx: Ctx,
  workspaceId: string,
  runIds: readonly string[],
): Promise<PresentRuns> {
  const byId = await findById(ctx, workspaceId, runIds);
  const known = runIds.flatMap((runId) => byId.get(runId) ?? []);
  const rows = known.filter((row) => row.deleted_at === null);
  if (rows.length === 0) {
    const [first] = known.map((row) => row.run_id).concat(runIds);
    return { rows: first === undefined ? [] : [await findRun(ctx, workspaceId, first)], gone: [], notes: [] };
  }
  const there = new Set(rows.map((row) => row.run_id));
  const gone = runIds.filter((runId) => !there.has(runId));
  const restorable = known.filter((row) => row.deleted_at !== null && row.deleted_at > oldestKept(ctx.now()));
  const lost = gone.length - restorable.length;
  return {
    rows,
    gone,
    notes: [
      ...restorable.map(
        ({ title, run_id, deleted_at }) =>
          `“${title}” (${run_id.slice(0, 8)}) was deleted and is left out. It can be restored until ${inWords(keptUntil(deleted_at as Date))}.`,
      ),
      ...(lost === 1 ? ["A run of this link is not in this workspace and is left out."] : []),
      ...(lost > 1 ? [`${lost} runs of this link are not in this workspace and are left out.`] : []),
    ],
  };
}

/** Also a deleted one: for what is still written of it, so that it is whole when somebody restores it. */
export async function findAnyRun(ctx: Ctx, workspaceId: string, runId: string): Promise<RunRow> {
  // As the database writes it.
  const id = runId.toLowerCase();
  const row = (await findById(ctx, workspaceId, [id])).get(id);
  if (!row) throw new DomainError("not_found", UNKNOWN);
  return row;
}

async function findById(
  ctx: Ctx,
  workspaceId: string,
  runIds: readonly string[],
): Promise<Map<string, RunRow>> {
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
  return new Map(found.map((row) => [row.run_id, row]));
}

export const errorOf = (row: Pick<RunRow, "error_code" | "error_message">): Reason | null =>
  row.error_code && row.error_message ? { code: row.error_code, message: row.error_message } : null;
