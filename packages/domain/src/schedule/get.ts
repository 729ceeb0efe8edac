import { one, sql } from "@rigmark/db";
import type { SchedulePlan } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { unknownSchedule } from "./internal/unknown";

/** What a schedule queues, and where. */
export async function getSchedule({
  ctx,
  input,
}: Call<{ workspace: string; scheduleId: string }>): Promise<SchedulePlan> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const found = await one<SchedulePlan>(
    ctx.db,
    sql`SELECT schedule_id, name, host_id, spec FROM schedule
        WHERE workspace_id = ${workspaceId} AND schedule_id = ${input.scheduleId}`,
  );
  if (!found) throw unknownSchedule();
  return found;
}
