import { one, run, sql } from "@rigmark/db";
import type { NewSchedule, ScheduleCreated } from "@rigmark/results";
import { MOST_SCHEDULES } from "@rigmark/results/schedule";
import { uuidv7 } from "uuidv7";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { iso } from "../internal/moment";
import { nameOf } from "../internal/name";
import { countAlone, requireFewer } from "../internal/quota";
import { checkRun } from "../internal/run/queue";
import { storable, storableJson } from "../internal/text";
import { dueAfter } from "./internal/due";

/** Saves the plan of a run, which is then queued at its times. The host has to be able to do it now. */
export async function createSchedule({
  ctx,
  input,
}: Call<{ workspace: string; hostId: string } & NewSchedule>): Promise<ScheduleCreated> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const name = nameOf(storable(input.name), "schedule");
  const { scenarios } = await checkRun(ctx, workspaceId, input.hostId, input.spec);
  const spec = { ...input.spec, title: name, scenarios: scenarios.map((s) => s.id) };
  const scheduleId = uuidv7();
  const now = ctx.now();
  const due = dueAfter(input, now);
  const by = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  await ctx.db.tx(async (tx) => {
    await countAlone(tx, workspaceId);
    const had = await one<{ n: number }>(
      tx,
      sql`SELECT count(*)::int AS n FROM schedule WHERE workspace_id = ${workspaceId}`,
    );
    requireFewer(had?.n, MOST_SCHEDULES, "schedules");
    await run(
      tx,
      sql`INSERT INTO schedule (workspace_id, schedule_id, host_id, name, spec, minute, days, wait_h, created_by, created_at,
            next_due_at)
          VALUES (${workspaceId}, ${scheduleId}, ${input.hostId}, ${name}, ${storableJson(spec)}, ${input.minute},
            ${input.days}, ${input.wait_h}, ${by}, ${now}, ${due})`,
    );
  });
  return { schedule_id: scheduleId, next_due_at: iso(due) };
}
