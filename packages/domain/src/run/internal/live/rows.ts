import { one, sql } from "@rigmark/db";
import type { WatchEvent } from "@rigmark/results";
import { LIVE_POINTS } from "@rigmark/results/points";
import type { Ctx } from "../../../context";
import type { RunRow } from "../../../internal/run/find";
import { readSeries } from "../../../internal/run/read-series";
import { readLogs } from "../read-logs";

const LINES = 500;

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
  return (stream?.next ?? 0) - 1;
}
