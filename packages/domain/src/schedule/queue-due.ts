import { all, one, run, sql, type Tx } from "@rigmark/db";
import type { RunState } from "@rigmark/protocol";
import type { Ctx } from "../context";
import { isDomainError } from "../error";
import { requireSystem } from "../internal/access";
import { inWords, later } from "../internal/moment";
import { dueAfter } from "./internal/due";
import { queueRunOf, type Scheduled } from "./internal/queue-run";

/** More wait for the next sweep. */
const AT_ONCE = 20;
/** What is later than this was missed: the app was not running. */
const LATE_S = 3600;

interface Row extends Scheduled {
  minute: number;
  days: number[];
  next_due_at: Date | null;
}
interface Turn {
  row: Row;
  due: Date;
  /** When it is due after this one. What was missed in between is not queued afterward. */
  next: Date;
  now: Date;
}

/** Another process took the turn, or somebody paused or deleted the schedule. */
class Taken extends Error {}

/**
 * Queues a run for each schedule that is due, or writes down why not. Several processes may do it at the same time: a turn
 * is taken by the update that moves the schedule on, in the transaction that writes the run, so it is taken once.
 */
export async function queueDueRuns({ ctx }: { ctx: Ctx }): Promise<number> {
  requireSystem(ctx);
  const now = ctx.now();
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT s.workspace_id, s.schedule_id, s.host_id, s.spec, s.minute, s.days, s.wait_h, s.next_due_at
        FROM schedule s JOIN workspace w USING (workspace_id)
        WHERE s.next_due_at <= ${now} AND w.deleted_at IS NULL ORDER BY s.next_due_at LIMIT ${AT_ONCE}`,
  );
  let queued = 0;
  for (const row of rows) {
    if (row.next_due_at === null) continue;
    if (await takeTurn(ctx, { row, due: row.next_due_at, next: dueAfter(row, now), now })) queued += 1;
  }
  return queued;
}

async function takeTurn(ctx: Ctx, turn: Turn): Promise<boolean> {
  const { row } = turn;
  const why = await whyNot(ctx, turn);
  if (why !== null) {
    await skip(ctx, turn, why);
    return false;
  }
  try {
    await queueRunOf(ctx, row, async (tx, runId) => {
      if (!(await moveOn(tx, turn, runId, null))) throw new Taken();
    });
    return true;
  } catch (error) {
    if (error instanceof Taken) return false;
    if (!isDomainError(error))
      ctx.log.error(
        { err: error, schedule_id: row.schedule_id },
        "The run of a schedule could not be queued.",
      );
    await skip(
      ctx,
      turn,
      isDomainError(error)
        ? error.message
        : "It could not be queued because of an error in the app; the app's log has the details.",
    );
    return false;
  }
}

/** Null: nothing is in the way. */
async function whyNot(ctx: Ctx, { row, due, now }: Turn): Promise<string | null> {
  if (due < later(now, -LATE_S)) return "The app was not running at that time.";
  const before = await one<{ state: RunState; created_at: Date }>(
    ctx.db,
    sql`SELECT state, created_at FROM run WHERE workspace_id = ${row.workspace_id} AND schedule_id = ${row.schedule_id}
          AND finished_at IS NULL LIMIT 1`,
  );
  if (!before) return null;
  const still = before.state === "queued" ? "still queued" : "not finished";
  return `The run that was queued at ${inWords(before.created_at)} was ${still}.`;
}

const skip = (ctx: Ctx, turn: Turn, why: string): Promise<boolean> => moveOn(ctx.db, turn, null, why);

async function moveOn(
  on: Tx,
  { row, due, next }: Turn,
  runId: string | null,
  skipped: string | null,
): Promise<boolean> {
  const moved = await run(
    on,
    sql`UPDATE schedule SET next_due_at = ${next}, last_due_at = ${due}, last_run_id = ${runId}, last_skip = ${skipped}
        WHERE workspace_id = ${row.workspace_id} AND schedule_id = ${row.schedule_id} AND next_due_at = ${due}`,
  );
  return moved > 0;
}
