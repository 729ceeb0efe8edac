import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { unknownSchedule } from "./internal/unknown";

/** It queues nothing until it is resumed. Pausing twice is pausing once. */
export async function pauseSchedule({
  ctx,
  input,
}: Call<{ workspace: string; scheduleId: string }>): Promise<Nothing> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const { count } = await ctx.db.prisma.schedule.updateMany({
    where: { workspace_id: workspaceId, schedule_id: input.scheduleId },
    data: { next_due_at: null },
  });
  if (count === 0) throw unknownSchedule();
  return { ok: true };
}
