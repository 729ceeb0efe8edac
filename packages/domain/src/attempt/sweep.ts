import { all, run, sql, type Tx } from "@rigmark/db";
import type { RunState } from "@rigmark/protocol";
import type { Ctx } from "../context";
import { requireSystem } from "../internal/access";
import { topics } from "../internal/bus";
import { later } from "../internal/moment";
import { requeue } from "./internal/free-host";
import { giveUpPublications } from "./internal/publication/give-up";
import { UNREACHABLE_S } from "./internal/timing";
import { transition } from "./internal/transition";

interface Row {
  workspace_id: string;
  run_id: string;
  attempt_id: string;
  attempt_no: number;
  state: RunState;
  unreachable: boolean;
  started_at: Date | null;
  last_heartbeat_at: Date | null;
  lease_expires_at: Date;
  deadline_at: Date | null;
  cancel_reason: "person" | "deadline" | null;
}

const OPEN: readonly RunState[] = ["preparing", "measuring", "uploading", "cancelling"];

/**
 * What follows from time alone: leases that were never started, hosts that fell silent, deadlines. Several processes
 * may sweep; each transition is conditional, so it happens once.
 */
export async function sweepAttempts({ ctx }: { ctx: Ctx }): Promise<number> {
  requireSystem(ctx);
  const now = ctx.now();
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT r.workspace_id, r.run_id, a.attempt_id, r.attempt_no, r.state, r.unreachable, a.started_at,
          a.last_heartbeat_at, a.lease_expires_at, r.deadline_at, r.cancel_reason
        FROM run r JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        WHERE r.finished_at IS NULL AND a.live
          AND (a.lease_expires_at < ${now} OR a.last_heartbeat_at < ${later(now, -UNREACHABLE_S)} OR r.deadline_at < ${now})`,
  );
  let changed = 0;
  for (const row of rows) {
    const did = await ctx.db.tx((tx) => sweepOne(ctx, tx, row, now));
    if (!did) continue;
    changed += 1;
    ctx.bus.hint(topics.run(row.run_id));
  }
  return changed + (await giveUpPublications(ctx));
}

async function sweepOne(ctx: Ctx, tx: Tx, row: Row, now: Date): Promise<boolean> {
  const key = { workspaceId: row.workspace_id, runId: row.run_id };
  if (row.started_at === null) {
    if (row.lease_expires_at >= now) return false;
    if (!(await giveUp(tx, row))) return false;
    await requeue(tx, key, row.attempt_no, now);
    return true;
  }
  const silent = row.last_heartbeat_at !== null && row.last_heartbeat_at < later(now, -UNREACHABLE_S);
  if (row.deadline_at !== null && row.deadline_at < now) return pastDeadline(ctx, tx, row, silent, now);
  if (!silent || row.unreachable) return false;
  const marked = await run(
    tx,
    sql`UPDATE run SET unreachable = true, revision = revision + 1
        WHERE workspace_id = ${row.workspace_id} AND run_id = ${row.run_id} AND attempt_no = ${row.attempt_no}
          AND finished_at IS NULL AND NOT unreachable`,
  );
  return marked > 0;
}

/** Whether it was given up: one that started after its row was read has a host at work, and keeps it. */
async function giveUp(tx: Tx, row: Row): Promise<boolean> {
  const given = await run(
    tx,
    sql`UPDATE attempt SET live = false WHERE workspace_id = ${row.workspace_id} AND attempt_id = ${row.attempt_id}
          AND live AND (started_at IS NULL) = ${row.started_at === null}`,
  );
  return given > 0;
}

/**
 * A reachable agent is told to stop and has the grace once more, unless it only delivers. A silent one leaves the run
 * incomplete, also where it was told: a deadline cancels no run. Nobody waits for the host of one that a person did
 * cancel.
 */
async function pastDeadline(ctx: Ctx, tx: Tx, row: Row, silent: boolean, now: Date): Promise<boolean> {
  const key = { workspaceId: row.workspace_id, runId: row.run_id };
  if (silent && row.cancel_reason === "person") {
    if (!(await giveUp(tx, row))) return false;
    return transition(tx, key, { to: "cancelled", from: OPEN, attemptNo: row.attempt_no, now });
  }
  if (!silent && (row.state === "preparing" || row.state === "measuring")) {
    const moved = await transition(tx, key, {
      to: "cancelling",
      from: ["preparing", "measuring"],
      attemptNo: row.attempt_no,
      now,
    });
    // After its row was read it came to its end, or a person cancelled it.
    if (!moved) return false;
    await run(
      tx,
      sql`UPDATE run SET cancel_requested_at = ${now}, cancel_reason = 'deadline', deadline_at = ${later(now, ctx.config.graceS)}
          WHERE workspace_id = ${row.workspace_id} AND run_id = ${row.run_id} AND attempt_no = ${row.attempt_no}`,
    );
    return true;
  }
  const what = silent
    ? "The host was not heard from before the deadline"
    : row.state === "uploading"
      ? "The host was still delivering at the deadline"
      : "The host was told to stop and has not finished stopping";
  // The attempt stays live: the host is free when its agent says that it is idle.
  return transition(tx, key, {
    to: "incomplete",
    from: OPEN,
    attemptNo: row.attempt_no,
    now,
    error: { code: "deadline", message: `${what}; what it sends later still completes this run.` },
  });
}
