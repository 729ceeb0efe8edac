import { one, sql } from "@rigmark/db";
import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { audit, invitedInWords } from "../internal/audit";
import { noSuch } from "../internal/no-such";

/** The link stops working at once. Revoking twice is revoking once. */
export async function revokeInvitation({
  ctx,
  input,
}: Call<{ workspace: string; invitationId: string }>): Promise<Nothing> {
  requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageMembers");
  const row = await one<{ used_by: string | null; email: string | null; role: string }>(
    ctx.db,
    sql`UPDATE invitation SET revoked_at = CASE WHEN used_by IS NULL THEN coalesce(revoked_at, ${ctx.now()}) END
        WHERE workspace_id = ${workspaceId} AND invitation_id = ${input.invitationId} RETURNING used_by, email, role`,
  );
  if (!row) throw new DomainError("not_found", noSuch("invitation"));
  if (row.used_by !== null)
    throw new DomainError("state", "This invitation was accepted already; remove the member instead.");
  const subject = invitedInWords(row.email, row.role);
  await audit(ctx.db, ctx, { workspaceId, what: "invitation-revoked", subject });
  return { ok: true };
}
