import type { DeletedWorkspaces } from "@rigmark/results";
import type { Ctx } from "../context";
import { requirePerson } from "../internal/access";
import { keptUntil, oldestKept } from "../internal/deleted";
import { iso } from "../internal/moment";

/** Workspaces that the person owned and can still restore, the last one deleted first. */
export async function listDeletedWorkspaces({ ctx }: { ctx: Ctx }): Promise<DeletedWorkspaces> {
  const { userId } = requirePerson(ctx);
  const rows = await ctx.db.prisma.workspace.findMany({
    where: {
      deleted_at: { gt: oldestKept(ctx.now()) },
      members: { some: { user_id: userId, role: "owner" } },
    },
    select: { workspace_id: true, name: true, deleted_at: true },
    orderBy: [{ deleted_at: "desc" }, { workspace_id: "desc" }],
  });
  return {
    workspaces: rows.flatMap(({ workspace_id, name, deleted_at }) =>
      deleted_at === null
        ? []
        : [{ workspace_id, name, deleted_at: iso(deleted_at), kept_until: iso(keptUntil(deleted_at)) }],
    ),
  };
}
