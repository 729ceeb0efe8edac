import { all, one, run, sql, type Tx } from "@rigmark/db";
import { Role } from "@rigmark/results";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { revokeInvitations } from "../../internal/invitation";
import { revokeTokensMadeBy } from "../../internal/revoke-tokens";

/**
 * Roles in a workspace by person, which nobody else changes until the transaction ends: of two owners who leave at once, one
 * stays.
 */
export async function lockedRoles(tx: Tx, workspaceId: string): Promise<Map<string, Role>> {
  await one(tx, sql`SELECT 1 AS locked FROM workspace WHERE workspace_id = ${workspaceId} FOR NO KEY UPDATE`);
  const rows = await all<{ user_id: string; role: string }>(
    tx,
    sql`SELECT user_id, role FROM member WHERE workspace_id = ${workspaceId}`,
  );
  return new Map(rows.map(({ user_id, role }) => [user_id, Role.parse(role)]));
}

export function roleIn(roles: ReadonlyMap<string, Role>, userId: string): Role {
  const role = roles.get(userId);
  if (role === undefined) throw new DomainError("not_found", "This person does not belong to the workspace.");
  return role;
}

/** Refuses what would leave the workspace without an owner. */
export async function keepAnOwner(
  tx: Tx,
  workspaceId: string,
  roles: ReadonlyMap<string, Role>,
  userId: string,
): Promise<void> {
  const owners = [...roles].filter(([, role]) => role === "owner").map(([id]) => id);
  if (owners.length !== 1 || owners[0] !== userId) return;
  if (roles.size > 1)
    throw new DomainError("state", "A workspace needs an owner; make somebody else an owner of it first.");
  const row = await one<{ home: boolean }>(
    tx,
    sql`SELECT home FROM workspace WHERE workspace_id = ${workspaceId}`,
  );
  // The installation's own workspace cannot be deleted.
  const orDelete = row?.home ? "" : ", or delete the workspace in its settings";
  throw new DomainError(
    "state",
    `A workspace needs an owner, and nobody else is in it; invite somebody and make them an owner first${orDelete}.`,
  );
}

/**
 * Ends the membership, the person's tokens that worked in this workspace only, the workspace's that they made, and open
 * invitations.
 */
export async function endMembership(tx: Tx, ctx: Ctx, workspaceId: string, userId: string): Promise<void> {
  await run(tx, sql`DELETE FROM member WHERE workspace_id = ${workspaceId} AND user_id = ${userId}`);
  await run(
    tx,
    sql`UPDATE token SET revoked_at = ${ctx.now()}
        WHERE workspace_id = ${workspaceId} AND user_id = ${userId} AND revoked_at IS NULL`,
  );
  await revokeTokensMadeBy(tx, ctx, { workspaceId, userId });
  await revokeInvitations(tx, ctx, { workspaceId, userId, keep: [] });
}
