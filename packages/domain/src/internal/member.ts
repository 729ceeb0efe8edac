import { Role } from "@rigmark/results";
import type { Ctx } from "../context";

/** Null for whoever does not belong to the workspace. */
export async function roleInWorkspace(ctx: Ctx, workspaceId: string, userId: string): Promise<Role | null> {
  const row = await ctx.db.prisma.member.findFirst({
    where: { workspace_id: workspaceId, user_id: userId },
    select: { role: true },
  });
  return row ? Role.parse(row.role) : null;
}
