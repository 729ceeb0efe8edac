import { randomInt } from "node:crypto";
import { run, sql, type Tx } from "@rigmark/db";
import type { RunSpec } from "@rigmark/protocol";
import type { RunCreated } from "@rigmark/results";
import type { Ctx } from "../../context";
import { later } from "../../internal/moment";
import { queue } from "../../internal/run/queue";

const SEEDS = 2 ** 32;

/** What of a schedule says what it queues, where, and how long that waits. */
export interface Scheduled {
  workspace_id: string;
  schedule_id: string;
  host_id: string;
  spec: RunSpec;
  wait_h: number;
}

/** Queues a run of a schedule. `note` writes that into the schedule, together with the run; where it throws there is no run. */
export function queueRunOf(
  ctx: Ctx,
  { workspace_id, schedule_id, host_id, wait_h, ...of }: Scheduled,
  note: (tx: Tx, runId: string) => Promise<void>,
): Promise<RunCreated> {
  // A night's order says nothing about the next one's.
  const spec = { ...of.spec, seed: randomInt(SEEDS) };
  return queue(ctx, workspace_id, host_id, spec, null, async (tx, runId) => {
    await note(tx, runId);
    await run(
      tx,
      sql`UPDATE run SET schedule_id = ${schedule_id}, expires_at = ${later(ctx.now(), wait_h * 3600)}
          WHERE workspace_id = ${workspace_id} AND run_id = ${runId}`,
    );
  });
}
