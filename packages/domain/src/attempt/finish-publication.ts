import { one, run, sql } from "@rigmark/db";
import type { RecordOf } from "@rigmark/protocol";
import type { Publication, PublicationEnd } from "@rigmark/results/public";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { topics } from "../internal/bus";
import { finishAttempt } from "./finish";
import { type Entered, enterPublication } from "./internal/publication/enter";
import { describe, findPublished } from "./internal/publication/find";
import { nextSeqs } from "./internal/stream";

type Input = { workspace: string; runId: string } & PublicationEnd;
type Ending = RecordOf<"result">["data"];

const CUT_OFF = {
  code: "half-file",
  message: "The published file ends before its run did: the run was killed, or the file was cut off.",
};

/**
 * The end of a file: all of it must be here, byte for byte. How the run ended is what its last record says; a file without
 * one is an incomplete run. Finishing twice is finishing once.
 */
export async function finishPublication({ ctx, input }: Call<Input>): Promise<Publication> {
  const entered = await enterPublication(ctx, input);
  const { at, row, host } = entered;
  if (!row.finished_at) {
    const ending = await endingOf(ctx, entered);
    if (!ending && !input.partial && (await isWhole(ctx, entered, input))) {
      throw new DomainError(
        "state",
        "The journal has no last record: its run was killed, or the file was cut off. Add --partial to publish it as an incomplete run.",
      );
    }
    const { status, error } = ending ?? { status: "incomplete" as const, error: CUT_OFF };
    const { attempt_id: attemptId, attempt_no: attemptNo } = row;
    const streams = input.streams;
    await finishAttempt({
      ctx: host,
      input: { attemptId, attemptNo, status, error, corrupt_records: 0, streams },
    });
    await setTimes(ctx, entered);
    ctx.bus.hint(topics.run(row.run_id));
  }
  const done = await findPublished(ctx.db, at.workspaceId, row.run_id);
  return describe(ctx, at, done ?? row);
}

/** Its last record, when that is here. */
async function endingOf(ctx: Ctx, { at, row }: Entered): Promise<Ending | null> {
  const found = await one<{ result: Ending | null }>(
    ctx.db,
    sql`SELECT result FROM attempt WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${row.attempt_id}`,
  );
  return found?.result ?? null;
}

/** Whether all chunks are here. Where some are not, that is what must be said. */
async function isWhole(ctx: Ctx, { at, row }: Entered, { streams }: Input): Promise<boolean> {
  const here = await ctx.db.tx((tx) =>
    nextSeqs(tx, { workspaceId: at.workspaceId, attemptId: row.attempt_id }),
  );
  return here.journal >= streams.journal.chunks && here.raw >= streams.raw.chunks;
}

/** The run took place when its records say, not when it was published. */
const setTimes = (ctx: Ctx, { at, row }: Entered) =>
  run(
    ctx.db,
    sql`UPDATE run r SET revision = revision + 1, finished_at = least(${ctx.now()}::timestamptz, r.started_at + make_interval(secs =>
          greatest(0, (greatest(
            (SELECT max(t_us) FROM phase p WHERE p.workspace_id = a.workspace_id AND p.attempt_id = a.attempt_id),
            (SELECT max(t_us) FROM log l WHERE l.workspace_id = a.workspace_id AND l.attempt_id = a.attempt_id),
            a.begin_us) - a.begin_us) / 1e6::float8)))
        FROM attempt a
        WHERE a.workspace_id = ${at.workspaceId} AND a.attempt_id = ${row.attempt_id} AND a.begin_us IS NOT NULL
          AND r.workspace_id = a.workspace_id AND r.run_id = a.run_id AND r.finished_at IS NOT NULL`,
  );
