import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { dueAfter } from "./internal/due";
import { unknownSchedule } from "./internal/unknown";

/** It is due again at its next time; what fell into the pause is not queued afterward. */
export async function resumeSchedule({
  ctx,
  input,
}: Call<{ workspace: string; scheduleId: string }>): Promise<Nothing> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const where = { workspace_id: workspaceId, schedule_id: input.scheduleId };
  const found = await ctx.db.prisma.schedule.findFirst({ where, select: { minute: true, days: true } });
  if (!found) throw unknownSchedule();
  await ctx.db.prisma.schedule.updateMany({
    where: { ...where, next_due_at: null },
    data: { next_due_at: dueAfter(found, ctx.now()) },
  });
  return { ok: true };
}
