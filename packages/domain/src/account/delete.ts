import { all, run, sql, type Tx } from "@rigmark/db";
import type { Nothing } from "@rigmark/results";
import type { Actor, Call, Ctx } from "../context";
import { DomainError } from "../error";
import { requirePerson } from "../internal/access";
import { audit } from "../internal/audit";
import { topics } from "../internal/bus";
import { endWorkspace } from "../internal/end-workspace";
import { revokeInvitations } from "../internal/invitation";
import { later } from "../internal/moment";
import { revokeTokensMadeBy } from "../internal/revoke-tokens";
import { printable } from "../internal/text";

/** So long after signing in, an open browser may be somebody else's. */
const FRESH_S = 3600;
/** Who published a run from a file, once their account is gone. */
const NAMELESS = "a former member";

interface Belonging {
  workspace_id: string;
  name: string;
  home: boolean;
  role: string;
  others: number;
  other_owners: number;
}

/**
 * Deletes the account with its sessions and tokens, at once and for good. A workspace that nobody else belongs to is deleted
 * with it. What the person made in other workspaces stays there without their name, but for open invitations and tokens; only
 * logs and reports keep the name. `email`: as somebody typed it who means it.
 */
export async function deleteAccount({ ctx, input }: Call<{ email: string }>): Promise<Nothing> {
  const me = requirePerson(ctx);
  await requireFreshSession(ctx, me);
  if (input.email.trim().toLowerCase() !== me.email.toLowerCase())
    throw new DomainError("invalid", "This is not the address of your account; type it as shown above.");
  const now = ctx.now();
  const runs = await ctx.db.tx(async (tx) => {
    const ended: string[] = [];
    for (const each of await lockedBelongings(tx, me.userId)) {
      if (each.others === 0 && !each.home) ended.push(...(await endWorkspace(tx, each.workspace_id, now)));
      else if (each.others > 0 && each.role === "owner" && each.other_owners === 0)
        throw new DomainError(
          "state",
          `You are the last owner of “${printable(each.name)}”; make somebody else an owner of it first, or delete it.`,
        );
      await revokeTokensMadeBy(tx, ctx, { workspaceId: each.workspace_id, userId: me.userId });
      await audit(tx, ctx, { workspaceId: each.workspace_id, what: "member-left" });
    }
    await revokeInvitations(tx, ctx, { workspaceId: null, userId: me.userId, keep: [] });
    await run(
      tx,
      sql`UPDATE run SET published_by = ${NAMELESS}, revision = revision + 1
          WHERE requested_by = ${me.userId} AND published_by IS NOT NULL`,
    );
    await run(tx, sql`DELETE FROM verification WHERE value = ${me.userId} OR identifier = ${me.email}`);
    await run(tx, sql`DELETE FROM "user" WHERE id = ${me.userId}`);
    return ended;
  });
  for (const runId of runs) ctx.bus.hint(topics.run(runId));
  return { ok: true };
}

async function requireFreshSession(ctx: Ctx, me: Extract<Actor, { kind: "user" }>): Promise<void> {
  const session = await ctx.db.prisma.session.findFirst({
    where: { id: me.sessionId ?? "", userId: me.userId, createdAt: { gt: later(ctx.now(), -FRESH_S) } },
    select: { id: true },
  });
  if (!session)
    throw new DomainError(
      "state",
      "You signed in more than an hour ago. Sign out, sign in again, then try again.",
    );
}

/** The workspaces of the person, whose members nobody else changes until the transaction ends. */
async function lockedBelongings(tx: Tx, userId: string): Promise<Belonging[]> {
  await run(
    tx,
    sql`SELECT 1 FROM workspace w JOIN member m USING (workspace_id)
        WHERE m.user_id = ${userId} AND w.deleted_at IS NULL ORDER BY w.workspace_id FOR NO KEY UPDATE OF w`,
  );
  return all<Belonging>(
    tx,
    sql`SELECT w.workspace_id, w.name, w.home, m.role,
          (SELECT count(*)::int FROM member o WHERE o.workspace_id = w.workspace_id AND o.user_id <> m.user_id) AS others,
          (SELECT count(*)::int FROM member o WHERE o.workspace_id = w.workspace_id AND o.user_id <> m.user_id
             AND o.role = 'owner') AS other_owners
        FROM member m JOIN workspace w ON w.workspace_id = m.workspace_id
        WHERE m.user_id = ${userId} AND w.deleted_at IS NULL ORDER BY w.workspace_id`,
  );
}
