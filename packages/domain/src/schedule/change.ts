import { run, sql } from "@rigmark/db";
import type { Nothing, ScheduleTimes } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { nameOf } from "../internal/name";
import { storable } from "../internal/text";
import { dueAfter } from "./internal/due";
import { unknownSchedule } from "./internal/unknown";

/** Other times or another name. A paused one stays paused; of what is in the queue nothing changes. */
export async function changeSchedule({
  ctx,
  input,
}: Call<{ workspace: string; scheduleId: string } & ScheduleTimes>): Promise<Nothing> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const name = nameOf(storable(input.name), "schedule");
  const due = dueAfter(input, ctx.now());
  const changed = await run(
    ctx.db,
    sql`UPDATE schedule SET name = ${name}, spec = jsonb_set(spec, '{title}', to_jsonb(${name}::text)),
          minute = ${input.minute}, days = ${input.days}, wait_h = ${input.wait_h},
          next_due_at = CASE WHEN next_due_at IS NULL THEN NULL ELSE ${due}::timestamptz END
        WHERE workspace_id = ${workspaceId} AND schedule_id = ${input.scheduleId}`,
  );
  if (changed === 0) throw unknownSchedule();
  return { ok: true };
}
