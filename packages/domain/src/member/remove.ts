import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { audit, nameOfPerson } from "../internal/audit";
import { mayChange } from "../internal/may";
import { endMembership, keepAnOwner, lockedRoles, roleIn } from "./internal/locked";

/** Ends a membership: one's own, or that of somebody below. What the person made stays in the workspace. */
export async function removeMember({
  ctx,
  input,
}: Call<{ workspace: string; userId: string }>): Promise<Nothing> {
  const me = requirePerson(ctx);
  const { userId } = input;
  const action = userId === me.userId ? "read" : "manageMembers";
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, action);
  await ctx.db.tx(async (tx) => {
    const roles = await lockedRoles(tx, workspaceId);
    const [own, old] = [roleIn(roles, me.userId), roleIn(roles, userId)];
    if (userId !== me.userId && !mayChange(own, old))
      throw new DomainError("forbidden", "Only an owner can remove an admin or an owner; ask an owner.");
    await keepAnOwner(tx, workspaceId, roles, userId);
    await endMembership(tx, ctx, workspaceId, userId);
    await audit(
      tx,
      ctx,
      userId === me.userId
        ? { workspaceId, what: "member-left" }
        : { workspaceId, what: "member-removed", subject: await nameOfPerson(tx, userId) },
    );
  });
  return { ok: true };
}
