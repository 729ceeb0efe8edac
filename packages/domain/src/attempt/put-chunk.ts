import { one, run, sql, type Tx } from "@rigmark/db";
import type { JournalRecord, RawRecord, StreamName } from "@rigmark/protocol";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { topics } from "../internal/bus";
import { type Decoded, decodeChunk } from "../internal/decode-chunk";
import { enterAttempt, type Fenced } from "./internal/fence";
import { noteRefusal } from "./internal/note-refusal";
import { project } from "./internal/project/index";
import { requireOrder } from "./internal/require-order";
import { requireRoom } from "./internal/require-room";
import { lockStream, noStream, rollDigest, type StreamRow } from "./internal/stream";

export interface ChunkInput {
  attemptId: string;
  attemptNo: number;
  stream: StreamName;
  seq: number;
  sha256: string;
  records: number;
  /** Gzip. */
  body: Uint8Array;
}

/** What one attempt may send in all. */
const STREAM_BYTES: Record<StreamName, number> = { journal: 2 * 1024 ** 3, raw: 64 * 1024 ** 2 };

/**
 * Stores a chunk exactly once and in order, together with what its records say, in one transaction. Sent again it is
 * acknowledged again; anything else under its number is refused.
 */
export async function putChunk(call: Call<ChunkInput>): Promise<{ next_seq: number }> {
  try {
    return await take(call);
  } catch (error) {
    await noteRefusal(call.ctx, call.input, `Chunk ${call.input.seq} of the ${call.input.stream}`, error);
    throw error;
  }
}

async function take({ ctx, input }: Call<ChunkInput>): Promise<{ next_seq: number }> {
  // Decoded before the transaction: a bad chunk holds no lock, and a good one holds it for less time.
  const early = await ctx.db.tx(async (tx) => {
    const { at, stream } = await enterStream(ctx, tx, input);
    return stream && answerOld(tx, at, stream, input);
  });
  if (early) return early;
  const decoded = await decodeChunk(input.stream, input);
  const { runId, response } = await ctx.db.tx(async (tx) => {
    const { at, stream } = await enterStream(ctx, tx, input);
    if (!stream) throw noStream();
    const old = await answerOld(tx, at, stream, input);
    if (old) return { runId: null, response: old };
    return {
      runId: at.runId,
      response: await store(tx, at, stream, input, decoded, ctx.config.graceS, ctx.now()),
    };
  });
  if (runId) ctx.bus.hint(topics.run(runId));
  return response;
}

/** Fence, lock, and fence again: while the lock was waited for, the attempt may have been finished or overtaken. */
async function enterStream(ctx: Ctx, tx: Tx, input: ChunkInput) {
  const stream = await lockStream(tx, await enterAttempt(ctx, tx, input), input.stream);
  return { at: await enterAttempt(ctx, tx, input), stream };
}

/** The response to a chunk that is here already; null for the one that is waited for. */
async function answerOld(tx: Tx, at: Fenced, stream: StreamRow, input: ChunkInput) {
  if (input.seq > stream.next_seq) {
    throw new DomainError(
      "chunk_gap",
      `Chunk ${input.seq} of the ${input.stream} came before chunk ${stream.next_seq}; send that one first.`,
      { next_seq: stream.next_seq },
    );
  }
  if (input.seq === stream.next_seq) {
    if (at.finishedAt)
      throw new DomainError("state", "This attempt is finished; nothing more can be added to it.");
    return null;
  }
  const stored = await one<{ sha256: string }>(
    tx,
    sql`SELECT sha256 FROM chunk WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${at.attemptId}
          AND stream = ${input.stream} AND seq = ${input.seq}`,
  );
  if (stored?.sha256 !== input.sha256) {
    throw new DomainError(
      "chunk_conflict",
      `Chunk ${input.seq} of the ${input.stream} is already stored, with different content.`,
    );
  }
  return { next_seq: stream.next_seq };
}

async function store(
  tx: Tx,
  at: Fenced,
  stream: StreamRow,
  input: ChunkInput,
  decoded: Decoded<StreamName>,
  graceS: number,
  now: Date,
) {
  if (decoded.firstRecordSeq !== stream.next_record_seq) {
    throw new DomainError(
      "invalid",
      `Line 1 has seq ${decoded.firstRecordSeq}, but ${stream.next_record_seq} was expected.`,
    );
  }
  if (stream.bytes + decoded.bytes > STREAM_BYTES[input.stream]) {
    throw new DomainError(
      "too_large",
      `The ${input.stream} of one attempt is at most ${STREAM_BYTES[input.stream] / 1024 ** 2} MiB.`,
    );
  }
  await run(
    tx,
    sql`INSERT INTO chunk (workspace_id, attempt_id, stream, seq, sha256, records, first_record_seq, bytes, trial_ids, body,
          received_at)
        VALUES (${at.workspaceId}, ${at.attemptId}, ${input.stream}, ${input.seq}, ${input.sha256}, ${input.records},
          ${decoded.firstRecordSeq}, ${decoded.bytes}, ${trialsOf(input.stream, decoded)}, ${Buffer.from(input.body)}, ${now})`,
  );
  await run(
    tx,
    sql`UPDATE stream SET next_seq = next_seq + 1, next_record_seq = next_record_seq + ${input.records},
          records = records + ${input.records}, bytes = bytes + ${decoded.bytes},
          digest = ${rollDigest(stream.digest, input.sha256)}
        WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${at.attemptId} AND name = ${input.stream}`,
  );
  if (input.stream === "journal") {
    const records = decoded.records as JournalRecord[];
    await requireOrder(tx, at, records);
    await project(tx, { ...at, chunkSeq: input.seq, now, graceS }, records);
    await requireRoom(tx, at, records);
  }
  return { next_seq: input.seq + 1 };
}

/** Trials whose output is in a chunk of the raw stream. */
const trialsOf = (stream: StreamName, decoded: Decoded<StreamName>): string[] | null =>
  stream === "raw" ? [...new Set((decoded.records as RawRecord[]).map((r) => r.data.trial_id))] : null;
