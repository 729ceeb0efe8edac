import { type MemberList, ROLES, Role } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { may, mayChange, rolesToGive } from "../internal/may";
import { iso } from "../internal/moment";

/** Who belongs to the workspace. All members see it; addresses only whoever manages members. */
export async function listMembers({ ctx, input }: Call<{ workspace: string }>): Promise<MemberList> {
  const { workspaceId, role: own } = await enterWorkspace(ctx, input.workspace, "read");
  const me = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  // Tokens read, and change no member.
  const inBrowser = ctx.actor.kind === "user" && !ctx.actor.token;
  const manages = inBrowser && may(own, "manageMembers");
  const rows = await ctx.db.prisma.member.findMany({
    where: { workspace_id: workspaceId },
    include: { user: { select: { name: true, email: true } } },
    orderBy: [{ user: { name: "asc" } }, { user_id: "asc" }],
  });
  const members = rows.map(({ user_id, user, role: stored, created_at }) => {
    const role = Role.parse(stored);
    return {
      user_id,
      name: user.name,
      email: manages || user_id === me ? user.email : null,
      role,
      joined_at: iso(created_at),
      you: user_id === me,
      may_change: manages && mayChange(own, role),
    };
  });
  return {
    members: ROLES.flatMap((role) => members.filter((member) => member.role === role)),
    may_give: manages ? rolesToGive(own) : [],
  };
}
