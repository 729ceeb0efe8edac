import { one, run, sql } from "@rigmark/db";
import type { RunState, StartResponse } from "@rigmark/protocol";
import type { z } from "zod";
import type { Call } from "../context";
import { DomainError } from "../error";
import { topics } from "../internal/bus";
import { later } from "../internal/moment";
import { enterAttempt, superseded } from "./internal/fence";
import { DEADLINE_FACTOR, HEARTBEAT_S, LEASE_S, UNPLANNED_S } from "./internal/timing";
import { transition } from "./internal/transition";

/** Must succeed before anything is spawned. Starting twice is starting once. */
export async function startAttempt({
  ctx,
  input,
}: Call<{ attemptId: string; attemptNo: number }>): Promise<z.infer<typeof StartResponse>> {
  const now = ctx.now();
  const done = await ctx.db.tx(async (tx) => {
    const at = await enterAttempt(ctx, tx, input);
    if (at.finishedAt) throw new DomainError("state", "This attempt is finished; ask for new work.");
    // It may have been given up since the fence; its run is queued again or cancelled by now and must not begin here too.
    const kept = await run(
      tx,
      sql`UPDATE attempt SET started_at = coalesce(started_at, ${now}), last_heartbeat_at = ${now},
            lease_expires_at = ${later(now, LEASE_S)}
          WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${at.attemptId} AND (live OR started_at IS NOT NULL)`,
    );
    if (kept === 0) throw superseded();
    await transition(tx, at, { to: "preparing", from: ["leased"], attemptNo: at.attemptNo, now });
    const row = await one<{ state: RunState }>(
      tx,
      sql`UPDATE run SET deadline_at = coalesce(deadline_at, ${later(now, UNPLANNED_S * DEADLINE_FACTOR + ctx.config.graceS)})
          WHERE workspace_id = ${at.workspaceId} AND run_id = ${at.runId} AND attempt_no = ${at.attemptNo}
          RETURNING state`,
    );
    return { runId: at.runId, state: row?.state ?? at.state };
  });
  ctx.bus.hint(topics.run(done.runId));
  return { state: done.state, heartbeat_s: HEARTBEAT_S };
}
