import { one, sql } from "@rigmark/db";
import { InvitedRole } from "@rigmark/results";
import type { Call } from "../context";
import { requireSystem } from "../internal/access";
import { audit, nameOfPerson } from "../internal/audit";
import { joinWorkspace } from "../internal/invitation";
import { later } from "../internal/moment";
import { hashSecret } from "../internal/secret";

/** Sign-up that used an invitation up and then failed leaves it without an account; it lets nobody in after so long. */
const MAKING_S = 600;

/** Lets the new account in for which sign-up has just used the invitation up (`requireSignUp`). */
export async function joinInvited({
  ctx,
  input,
}: Call<{ token: string; email: string; userId: string }>): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  await ctx.db.tx(async (tx) => {
    const row = await one<{ workspace_id: string; role: string }>(
      tx,
      sql`UPDATE invitation i SET used_by = ${input.userId} FROM invitation_lookup l
          WHERE l.token_hash = ${hashSecret(input.token)} AND i.workspace_id = l.workspace_id
            AND i.invitation_id = l.invitation_id AND i.used_at > ${later(now, -MAKING_S)} AND i.used_by IS NULL
            AND i.revoked_at IS NULL
            AND (i.email IS NULL OR i.email = ${input.email.toLowerCase()})
          RETURNING i.workspace_id, i.role`,
    );
    if (!row) return;
    await joinWorkspace(tx, row.workspace_id, input.userId, InvitedRole.parse(row.role), now);
    const by = { userId: input.userId, name: await nameOfPerson(tx, input.userId) };
    const event = { workspaceId: row.workspace_id, subject: row.role, by };
    await audit(tx, ctx, { ...event, what: "invitation-accepted" });
  });
}
