import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { audit } from "../internal/audit";
import { noSuch } from "../internal/no-such";

/** Its address shows nothing any more; a new badge gets another one. */
export async function deleteBadge({
  ctx,
  input,
}: Call<{ workspace: string; badgeId: string }>): Promise<Nothing> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const where = { workspace_id: workspaceId, badge_id: input.badgeId };
  const found = await ctx.db.prisma.badge.findFirst({ where, select: { label: true } });
  if (!found) throw new DomainError("not_found", noSuch("badge"));
  await ctx.db.prisma.badge.deleteMany({ where });
  await audit(ctx.db, ctx, { workspaceId, what: "badge-deleted", subject: found.label });
  return { ok: true };
}
