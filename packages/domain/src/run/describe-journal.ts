import { all, sql } from "@rigmark/db";
import type { Call } from "../context";
import { DomainError } from "../error";
import { inflateChunk } from "../internal/decode-chunk";
import { reachRun } from "../internal/reach";
import { findRun } from "../internal/run/find";

/** Of at most 256 KiB each, so a page stays small enough to be asked for again. */
const CHUNKS_A_PAGE = 8;

interface Page {
  items: string[];
  next_cursor: string | null;
}

/** The records of a run's newest attempt as its agent wrote them, without the tools' raw output. The cursor is a chunk. */
export async function describeJournal({
  ctx,
  input,
}: Call<{ runId: string; cursor?: string | undefined }>): Promise<Page> {
  const { workspaceId } = await reachRun(ctx, input.runId, "read");
  const from = input.cursor === undefined ? 0 : Number(/^c(\d{1,6})$/.exec(input.cursor)?.[1] ?? Number.NaN);
  if (Number.isNaN(from))
    throw new DomainError("invalid", "This page of the journal does not exist; begin with the first one.");
  const { attempt_id } = await findRun(ctx, workspaceId, input.runId);
  const chunks = await all<{ seq: number; body: Buffer }>(
    ctx.db,
    sql`SELECT seq, body FROM chunk WHERE workspace_id = ${workspaceId} AND attempt_id = ${attempt_id}
          AND stream = 'journal' AND seq >= ${from} ORDER BY seq LIMIT ${CHUNKS_A_PAGE + 1}`,
  );
  const items: string[] = [];
  for (const { body } of chunks.slice(0, CHUNKS_A_PAGE)) {
    const text = (await inflateChunk(body)).toString("utf8");
    items.push(...text.split("\n").filter((line) => line !== ""));
  }
  const next = chunks[CHUNKS_A_PAGE];
  return { items, next_cursor: next ? `c${next.seq}` : null };
}
