import { one, run, sql, type Tx } from "@rigmark/db";
import type { FinishRequest, FinishResponse, RunState, StreamName } from "@rigmark/protocol";
import type { z } from "zod";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { topics } from "../internal/bus";
import { writeHeadline } from "../internal/run/write-headline";
import { storable, storableJson } from "../internal/text";
import { enterAttempt, type Fenced } from "./internal/fence";
import { noteRefusal } from "./internal/note-refusal";
import { lockStream, noStream } from "./internal/stream";
import { transition } from "./internal/transition";

type FinishBody = Omit<z.infer<typeof FinishRequest>, "attempt_no">;
type Input = { attemptId: string; attemptNo: number } & Omit<FinishBody, "status"> & {
    /** `incomplete`: a published file that ends before its run did. No agent says so. */
    status: FinishBody["status"] | "incomplete";
  };

const STREAMS: readonly StreamName[] = ["journal", "raw"];
const OPEN: readonly RunState[] = [
  "leased",
  "preparing",
  "measuring",
  "uploading",
  "cancelling",
  "incomplete",
];

/** The end of an attempt: everything that it says it sent must be here, byte for byte. Finishing twice is finishing once. */
export async function finishAttempt({ ctx, input }: Call<Input>): Promise<z.infer<typeof FinishResponse>> {
  const { at, state, refusal } = await ctx.db.tx(async (tx) => {
    const at = await enterAttempt(ctx, tx, input);
    if (at.finishedAt) return { at, state: at.state, refusal: null };
    const refusal = await checkStreams(tx, at, input);
    if (!refusal) return { at, state: await close(ctx, tx, at, input), refusal };
    await run(
      tx,
      sql`UPDATE run SET missing = ${JSON.stringify(refusal.detail.missing ?? null)}::jsonb, revision = revision + 1
          WHERE workspace_id = ${at.workspaceId} AND run_id = ${at.runId} AND attempt_no = ${at.attemptNo}`,
    );
    return { at, state: at.state, refusal };
  });
  ctx.bus.hint(topics.run(at.runId));
  if (refusal) {
    await noteRefusal(ctx, input, "The end of the attempt", refusal);
    throw refusal;
  }
  if (!at.finishedAt) {
    await writeHeadline(ctx, at);
    // Whoever waits for the verdict was woken before there was one.
    ctx.bus.hint(topics.run(at.runId));
  }
  ctx.bus.hint(topics.host(at.hostId));
  return { state };
}

/**
 * The agent cannot deliver the rest. It counts what was acknowledged, and of a chunk whose response was lost it cannot know
 * that it is here too: nothing is closed over a hole by taking its word.
 */
const givenUp = (input: Input): boolean => input.status === "failed" && input.error?.code === "undeliverable";

/** Null when everything is here; else what to say, with the ranges to send again. */
async function checkStreams(tx: Tx, at: Fenced, input: Input): Promise<DomainError | null> {
  const missing: { stream: StreamName; from_seq: number; to_seq: number }[] = [];
  for (const name of STREAMS) {
    const here = await lockStream(tx, at, name);
    const said = input.streams[name];
    if (!here) throw noStream();
    if (here.next_seq < said.chunks) {
      missing.push({ stream: name, from_seq: here.next_seq, to_seq: said.chunks });
    } else if (
      !givenUp(input) &&
      (here.next_seq !== said.chunks ||
        here.records !== said.records ||
        here.bytes !== said.bytes ||
        here.digest !== said.digest)
    ) {
      return new DomainError(
        "digest",
        `The ${name} does not match what the agent announced. Stored: ${here.next_seq} chunks, ${here.records} records, ${here.bytes} bytes. Announced: ${said.chunks} chunks, ${said.records} records, ${said.bytes} bytes. If these are equal, the digests differ. What is stored is kept.`,
      );
    }
  }
  if (missing.length === 0) return null;
  const words = missing
    .map((m) => `chunks ${m.from_seq} to ${m.to_seq - 1} of the ${m.stream}`)
    .join(" and ");
  return new DomainError("chunks_missing", `Chunks are missing: ${words}; send them again.`, {
    missing,
  });
}

/** How the run ended, given how the attempt did. What was asked of it decides what a cancelled attempt means. */
async function close(ctx: Ctx, tx: Tx, at: Fenced, input: Input): Promise<RunState> {
  const now = ctx.now();
  const { cancel_reason } = (await one<{ cancel_reason: string | null }>(
    tx,
    sql`SELECT cancel_reason FROM run WHERE workspace_id = ${at.workspaceId} AND run_id = ${at.runId} FOR UPDATE`,
  )) ?? { cancel_reason: null };
  const empty = input.status === "succeeded" && (await trialsDone(tx, at)) === 0;
  const to: RunState = empty
    ? "failed"
    : input.status === "cancelled" && cancel_reason === "deadline"
      ? "timed_out"
      : input.status;
  const late = {
    code: "deadline",
    message: "The run passed its deadline, so it was stopped; its log shows where the time went.",
  };
  const nothing = {
    code: "no-trials",
    message: "The agent reported success but sent no trial results; look at its log.",
  };
  const error = empty
    ? nothing
    : input.error && { code: input.error.code, message: storable(input.error.message) };
  await transition(tx, at, {
    to,
    from: OPEN,
    attemptNo: at.attemptNo,
    now,
    error: to === "timed_out" ? late : error,
  });
  const { streams, status, corrupt_records } = input;
  await run(
    tx,
    sql`UPDATE attempt SET live = false, started_at = coalesce(started_at, ${now}), finished_at = ${now},
          finish = ${storableJson({ streams, status, error, corrupt_records })}::jsonb
        WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${at.attemptId}`,
  );
  const row = await one<{ state: RunState }>(
    tx,
    sql`UPDATE run SET missing = NULL, corrupt_records = ${corrupt_records}, revision = revision + 1
        WHERE workspace_id = ${at.workspaceId} AND run_id = ${at.runId} AND attempt_no = ${at.attemptNo} RETURNING state`,
  );
  return row?.state ?? to;
}

async function trialsDone(tx: Tx, at: Fenced): Promise<number> {
  const row = await one<{ done: number }>(
    tx,
    sql`SELECT count(*) AS done FROM trial
        WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${at.attemptId} AND state NOT IN ('planned', 'running', 'not-needed')`,
  );
  return row?.done ?? 0;
}
