import { type InvitationAccepted, InvitedRole } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { requirePerson } from "../internal/access";
import { audit } from "../internal/audit";
import {
  findInvitation,
  INVITATION_WORDS,
  joinWorkspace,
  refuseUnusable,
  useInvitation,
} from "../internal/invitation";
import { roleInWorkspace } from "../internal/member";

/** Makes the signed-in person a member. Who is one already keeps their role, and the invitation stays as it is. */
export async function acceptInvitation({ ctx, input }: Call<{ token: string }>): Promise<InvitationAccepted> {
  const { userId, email } = requirePerson(ctx);
  const now = ctx.now();
  const found = await findInvitation(ctx.db, input.token);
  if (found && (await roleInWorkspace(ctx, found.workspace_id, userId)) !== null)
    return { workspace: found.slug };
  const row = refuseUnusable(found, email, now);
  await ctx.db.tx(async (tx) => {
    if (!(await useInvitation(tx, { token: input.token, email, userId }, now)))
      throw new DomainError("state", INVITATION_WORDS.used);
    await joinWorkspace(tx, row.workspace_id, userId, InvitedRole.parse(row.role), now);
    const event = { workspaceId: row.workspace_id, subject: row.role };
    await audit(tx, ctx, { ...event, what: "invitation-accepted" });
  });
  return { workspace: row.slug };
}
