import { all, one, type Queryable, run, sql, type Tx } from "@rigmark/db";
import type { Invited, Role } from "@rigmark/results";
import type { Ctx } from "../context";
import { DomainError } from "../error";
import { audit, invitedInWords } from "./audit";
import { hashSecret } from "./secret";

type InvitationState = Invited["state"];

interface InvitationRow {
  workspace_id: string;
  slug: string;
  workspace: string;
  role: string;
  email: string | null;
  mailed: boolean;
  inviter: string | null;
  expires_at: Date;
  used_at: Date | null;
  used_by: string | null;
  revoked_at: Date | null;
}

/** The invitation that a link's token belongs to, whatever its state. */
export const findInvitation = (db: Queryable, token: string): Promise<InvitationRow | null> =>
  one<InvitationRow>(
    db,
    sql`SELECT i.workspace_id, s.slug, w.name AS workspace, i.role, i.email, i.mailed, u.name AS inviter, i.expires_at,
          i.used_at, i.used_by, i.revoked_at
        FROM invitation_lookup l JOIN invitation i USING (workspace_id, invitation_id)
        JOIN workspace w USING (workspace_id) JOIN workspace_slug s USING (workspace_id)
        LEFT JOIN "user" u ON u.id = i.created_by
        WHERE l.token_hash = ${hashSecret(token)} AND w.deleted_at IS NULL`,
  );

type Dates = Pick<InvitationRow, "expires_at" | "used_at" | "revoked_at">;

export function stateOfInvitation(row: Dates | null, now: Date): InvitationState {
  if (!row) return "unknown";
  if (row.used_at) return "used";
  if (row.revoked_at) return "revoked";
  return row.expires_at > now ? "usable" : "expired";
}

/** What somebody is told whose invitation does not work. Phrases: packages/messages translates them. */
export const INVITATION_WORDS: Record<Exclude<InvitationState, "usable">, string> = {
  used: "This invitation was used already: it works once. Ask for a new one.",
  revoked: "This invitation was revoked. Ask whoever sent it for a new one.",
  expired: "This invitation has expired: it works for seven days. Ask for a new one.",
  unknown: "This invitation is incomplete, or not known here. Open the whole link, or ask for a new one.",
};
const OTHER_ADDRESS =
  "This invitation is for another address. Use the account with the address that it was sent to.";

/** Refuses an invitation that this address cannot accept now. */
export function refuseUnusable(row: InvitationRow | null, email: string, now: Date): InvitationRow {
  const state = stateOfInvitation(row, now);
  if (row === null || state !== "usable")
    throw new DomainError("state", INVITATION_WORDS[state === "usable" ? "unknown" : state]);
  if (row.email !== null && row.email !== email.toLowerCase()) throw new DomainError("state", OTHER_ADDRESS);
  return row;
}

/** Uses the invitation up; of several who do it at once, one gets true. `userId` null: the account is made now. */
export async function useInvitation(
  db: Queryable,
  by: { token: string; email: string; userId: string | null },
  now: Date,
): Promise<boolean> {
  const used = await run(
    db,
    sql`UPDATE invitation i SET used_at = ${now}, used_by = ${by.userId} FROM invitation_lookup l
        WHERE l.token_hash = ${hashSecret(by.token)} AND i.workspace_id = l.workspace_id
          AND i.invitation_id = l.invitation_id AND i.used_at IS NULL AND i.revoked_at IS NULL
          AND i.expires_at > ${now} AND (i.email IS NULL OR i.email = ${by.email.toLowerCase()})`,
  );
  return used > 0;
}

interface Revoked {
  /** Null: in all of them. */
  workspaceId: string | null;
  /** Who made them. */
  userId: string;
  /** Roles that the person may still give. */
  keep: readonly Role[];
}

/** Revokes what a person invited to and nobody accepted yet: who may not invite any more lets nobody in by an older link. */
export async function revokeInvitations(
  tx: Tx,
  ctx: Ctx,
  { workspaceId, userId, keep }: Revoked,
): Promise<void> {
  const rows = await all<{ workspace_id: string; email: string | null; role: string }>(
    tx,
    sql`UPDATE invitation SET revoked_at = ${ctx.now()}
        WHERE (${workspaceId}::uuid IS NULL OR workspace_id = ${workspaceId}) AND created_by = ${userId}
          AND used_by IS NULL AND revoked_at IS NULL AND expires_at > ${ctx.now()} AND NOT role = ANY(${[...keep]}::text[])
        RETURNING workspace_id, email, role`,
  );
  for (const { workspace_id, email, role } of rows) {
    const subject = invitedInWords(email, role);
    await audit(tx, ctx, { workspaceId: workspace_id, what: "invitation-revoked", subject });
  }
}

/** Makes somebody a member. Who is one already keeps their role. */
export const joinWorkspace = (tx: Tx, workspaceId: string, userId: string, role: Role, now: Date) =>
  run(
    tx,
    sql`INSERT INTO member (workspace_id, user_id, role, created_at) VALUES (${workspaceId}, ${userId}, ${role}, ${now})
        ON CONFLICT (workspace_id, user_id) DO NOTHING`,
  );
