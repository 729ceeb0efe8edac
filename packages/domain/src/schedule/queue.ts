import { one, run, sql } from "@rigmark/db";
import type { RunCreated } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { queueRunOf, type Scheduled } from "./internal/queue-run";
import { unknownSchedule } from "./internal/unknown";

/** Queues a run of a schedule at once, also of a paused one. When it is due next does not change. */
export async function queueSchedule({
  ctx,
  input,
}: Call<{ workspace: string; scheduleId: string }>): Promise<RunCreated> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const found = await one<Scheduled>(
    ctx.db,
    sql`SELECT workspace_id, schedule_id, host_id, spec, wait_h FROM schedule
        WHERE workspace_id = ${workspaceId} AND schedule_id = ${input.scheduleId}`,
  );
  if (!found) throw unknownSchedule();
  return queueRunOf(ctx, found, async (tx, runId) => {
    const noted = await run(
      tx,
      sql`UPDATE schedule SET last_due_at = ${ctx.now()}, last_run_id = ${runId}, last_skip = NULL
          WHERE workspace_id = ${workspaceId} AND schedule_id = ${input.scheduleId}`,
    );
    if (noted === 0) throw unknownSchedule();
  });
}
