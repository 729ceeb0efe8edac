import { one, sql } from "@rigmark/db";
import type { WatchEvent } from "@rigmark/results";
import { LIVE_POINTS } from "@rigmark/results/points";
import type { Ctx } from "../../../context";
import type { RunRow } from "../../../internal/run/find";
import { readSeries } from "../../../internal/run/read-series";
import { readLogs } from "../read-logs";

const LINES = 500;

/** Another one when a run, or what its newest attempt wrote, has changed. */
export const stampOf = (
  { attempt_no, revision }: Pick<RunRow, "attempt_no" | "revision">,
  upTo: number,
): string => `${attempt_no} ${revision} ${upTo}`;

/** The stamp as it is now; null when there is no such run. */
export async function readStamp(ctx: Ctx, workspaceId: string, runId: string): Promise<string | null> {
  const row = await one<{ attempt_no: number; revision: number; next: number | null }>(
    ctx.db,
    sql`SELECT r.attempt_no, r.revision, s.next_record_seq AS next
        FROM run r
        LEFT JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        LEFT JOIN stream s ON s.workspace_id = a.workspace_id AND s.attempt_id = a.attempt_id AND s.name = 'journal'
        WHERE r.workspace_id = ${workspaceId} AND r.run_id = ${runId}`,
  );
  return row && stampOf(row, seqBefore(row.next));
}

/** Points and log lines after one place in the journal, up to another. */
export async function news(
  ctx: Ctx,
  workspaceId: string,
  row: RunRow,
  afterSeq: number,
  upToSeq: number,
): Promise<WatchEvent[]> {
  if (!row.attempt_id || afterSeq >= upToSeq) return [];
  const key = { workspaceId, attemptId: row.attempt_id };
  const series = await readSeries(ctx, key, { maxPoints: LIVE_POINTS, afterSeq, upToSeq });
  const lines = await readLogs(
    ctx,
    { ...key, beginUs: row.begin_us ?? 0 },
    sql`seq > ${afterSeq} AND seq <= ${upToSeq}`,
    LINES,
  );
  return [
    ...series
      .filter((s) => s.points.length > 0)
      .map(({ trial_id, entry_key, points }) => ({ kind: "points" as const, trial_id, entry_key, points })),
    ...(lines.length > 0 ? [{ kind: "logs" as const, lines }] : []),
  ];
}

/** A newcomer has the rows of finished trials from its page; it gets the running trial whole. */
export async function beginning(ctx: Ctx, workspaceId: string, row: RunRow, upTo: number): Promise<number> {
  const first = await one<{ seq: number | null }>(
    ctx.db,
    sql`SELECT min(c.first_seq) AS seq FROM sample_chunk c JOIN trial t USING (workspace_id, attempt_id, trial_id)
        WHERE c.workspace_id = ${workspaceId} AND c.attempt_id = ${row.attempt_id} AND t.state = 'running'`,
  );
  return (first?.seq ?? upTo + 1) - 1;
}

/** Up to where the journal of the newest attempt is stored; -1 before its first record. */
export async function lastSeq(ctx: Ctx, workspaceId: string, row: RunRow): Promise<number> {
  const stream = await one<{ next: number }>(
    ctx.db,
    sql`SELECT next_record_seq AS next FROM stream
        WHERE workspace_id = ${workspaceId} AND attempt_id = ${row.attempt_id} AND name = 'journal'`,
  );
  return seqBefore(stream?.next ?? null);
}

const seqBefore = (next: number | null): number => (next ?? 0) - 1;
