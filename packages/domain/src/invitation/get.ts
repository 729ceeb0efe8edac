import { type Invited, InvitedRole } from "@rigmark/results";
import type { Call } from "../context";
import { findInvitation, stateOfInvitation } from "../internal/invitation";
import { roleInWorkspace } from "../internal/member";

/** For whoever has the link, signed in or not. */
export async function getInvitation({ ctx, input }: Call<{ token: string }>): Promise<Invited> {
  const row = await findInvitation(ctx.db, input.token);
  if (!row)
    return {
      state: "unknown",
      workspace: null,
      role: null,
      inviter: null,
      email: null,
      proved: false,
      joined: null,
    };
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const own = userId === null ? null : await roleInWorkspace(ctx, row.workspace_id, userId);
  return {
    state: stateOfInvitation(row, ctx.now()),
    workspace: row.workspace,
    role: InvitedRole.parse(row.role),
    inviter: row.inviter,
    email: row.email,
    proved: row.mailed,
    joined: own === null ? null : row.slug,
  };
}
