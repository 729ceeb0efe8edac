import { run, sql } from "@rigmark/db";
import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace, requirePerson } from "../internal/access";

/** Whether the person gets mails of this workspace. What still waits is not sent to somebody who wants none. */
export async function setAlertMail({
  ctx,
  input,
}: Call<{ workspace: string; on: boolean }>): Promise<Nothing> {
  const { userId } = requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  if (input.on) {
    await run(
      ctx.db,
      sql`INSERT INTO alert_mail (workspace_id, user_id, created_at) VALUES (${workspaceId}, ${userId}, ${ctx.now()})
          ON CONFLICT DO NOTHING`,
    );
    return { ok: true };
  }
  const mine = { workspace_id: workspaceId, user_id: userId };
  await ctx.db.prisma.alertMail.deleteMany({ where: mine });
  await ctx.db.prisma.alertDelivery.deleteMany({ where: { ...mine, state: "waiting" } });
  return { ok: true };
}
