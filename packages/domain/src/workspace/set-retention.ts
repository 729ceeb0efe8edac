import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace, requirePerson } from "../internal/access";
import { audit } from "../internal/audit";

/** From when on runs are deleted by themselves; null: never. The first ones go within a minute, and can be restored. */
export async function setRetention({
  ctx,
  input,
}: Call<{ workspace: string; days: number | null }>): Promise<Nothing> {
  requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "deleteRuns");
  const data = { retention_days: input.days };
  await ctx.db.prisma.workspace.update({ where: { workspace_id: workspaceId }, data });
  const subject = input.days === null ? "forever" : `${input.days} days`;
  await audit(ctx.db, ctx, { workspaceId, what: "retention-changed", subject });
  return { ok: true };
}
