import { run, sql } from "@rigmark/db";
import type { HeartbeatRequest, HeartbeatResponse, RunState } from "@rigmark/protocol";
import type { z } from "zod";
import type { Call } from "../context";
import { DomainError } from "../error";
import { topics } from "../internal/bus";
import { later } from "../internal/moment";
import { enterAttempt } from "./internal/fence";
import { nextSeqs } from "./internal/stream";
import { HEARTBEAT_S, LEASE_S } from "./internal/timing";
import { transition } from "./internal/transition";

type Input = { attemptId: string } & Pick<z.infer<typeof HeartbeatRequest>, "state" | "t_us"> & {
    attemptNo: number;
  };

/** A run only moves forward. */
const BEFORE: Record<Input["state"], RunState[]> = {
  preparing: ["leased"],
  measuring: ["leased", "preparing"],
  uploading: ["leased", "preparing", "measuring"],
};

/** Renews the lease, tells what arrived, and brings the command to cancel. */
export async function recordHeartbeat({
  ctx,
  input,
}: Call<Input>): Promise<z.infer<typeof HeartbeatResponse>> {
  const now = ctx.now();
  const { runId, changed, answer } = await ctx.db.tx(async (tx) => {
    const at = await enterAttempt(ctx, tx, input);
    if (at.finishedAt || (!at.live && at.state !== "incomplete")) {
      throw new DomainError("state", `The run is over (${at.state}); this attempt needs nothing more.`);
    }
    await run(
      tx,
      sql`UPDATE attempt SET last_heartbeat_at = ${now}, lease_expires_at = ${later(now, LEASE_S)}
          WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${at.attemptId}`,
    );
    const moved = await transition(tx, at, {
      to: input.state,
      from: BEFORE[input.state],
      attemptNo: at.attemptNo,
      now,
    });
    const reached = await run(
      tx,
      sql`UPDATE run SET unreachable = false, revision = revision + 1
          WHERE workspace_id = ${at.workspaceId} AND run_id = ${at.runId} AND unreachable`,
    );
    const command = at.cancelRequestedAt ? ("cancel" as const) : ("none" as const);
    const next_seq = await nextSeqs(tx, at);
    return {
      runId: at.runId,
      changed: moved || reached > 0,
      answer: { lease_s: LEASE_S, heartbeat_s: HEARTBEAT_S, command, next_seq },
    };
  });
  if (changed) ctx.bus.hint(topics.run(runId));
  return answer;
}
