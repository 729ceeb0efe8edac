import { run, sql } from "@rigmark/db";
import type { Nothing, Role } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { audit, nameOfPerson } from "../internal/audit";
import { revokeInvitations } from "../internal/invitation";
import { may, mayChange, rolesToGive } from "../internal/may";
import { revokeTokensMadeBy } from "../internal/revoke-tokens";
import { keepAnOwner, lockedRoles, roleIn } from "./internal/locked";

/** Gives a member another role, from their next request on. Only an owner makes or changes admins and owners. */
export async function changeRole({
  ctx,
  input,
}: Call<{ workspace: string; userId: string; role: Role }>): Promise<Nothing> {
  const me = requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageMembers");
  const { userId, role } = input;
  await ctx.db.tx(async (tx) => {
    const roles = await lockedRoles(tx, workspaceId);
    const [own, old] = [roleIn(roles, me.userId), roleIn(roles, userId)];
    if (!mayChange(own, old) || !mayChange(own, role))
      throw new DomainError(
        "forbidden",
        "Only an owner can change who is an admin or an owner; ask an owner.",
      );
    if (role !== "owner") await keepAnOwner(tx, workspaceId, roles, userId);
    await run(
      tx,
      sql`UPDATE member SET role = ${role} WHERE workspace_id = ${workspaceId} AND user_id = ${userId}`,
    );
    if (!may(role, "manageTokens")) await revokeTokensMadeBy(tx, ctx, { workspaceId, userId });
    await revokeInvitations(tx, ctx, { workspaceId, userId, keep: rolesToGive(role) });
    const subject = `${await nameOfPerson(tx, userId)} from ${old} to ${role}`;
    await audit(tx, ctx, { workspaceId, what: "role-changed", subject });
  });
  return { ok: true };
}
