import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { unknownSchedule } from "./internal/unknown";

/** It queues nothing any more. The runs that it queued stay, also one that is still in the queue. */
export async function deleteSchedule({
  ctx,
  input,
}: Call<{ workspace: string; scheduleId: string }>): Promise<Nothing> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const { count } = await ctx.db.prisma.schedule.deleteMany({
    where: { workspace_id: workspaceId, schedule_id: input.scheduleId },
  });
  if (count === 0) throw unknownSchedule();
  return { ok: true };
}
