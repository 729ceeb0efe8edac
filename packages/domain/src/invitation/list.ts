import { all, sql } from "@rigmark/db";
import { type InvitationList, InvitedRole } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { stateOfInvitation } from "../internal/invitation";
import { iso } from "../internal/moment";

const MOST = 100;

interface Row {
  invitation_id: string;
  role: string;
  email: string | null;
  created_by: string | null;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
  used_by: string | null;
  revoked_at: Date | null;
}

/** The newest first, also those that were used or revoked. */
export async function listInvitations({ ctx, input }: Call<{ workspace: string }>): Promise<InvitationList> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageMembers");
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT i.invitation_id, i.role, i.email, c.name AS created_by, i.created_at, i.expires_at, i.used_at,
          u.name AS used_by, i.revoked_at
        FROM invitation i LEFT JOIN "user" c ON c.id = i.created_by LEFT JOIN "user" u ON u.id = i.used_by
        WHERE i.workspace_id = ${workspaceId} ORDER BY i.created_at DESC, i.invitation_id DESC LIMIT ${MOST}`,
  );
  const now = ctx.now();
  const stateOf = (row: Row) => {
    const state = stateOfInvitation(row, now);
    return state === "usable" || state === "unknown" ? "waiting" : state;
  };
  return {
    invitations: rows.map((row) => ({
      invitation_id: row.invitation_id,
      role: InvitedRole.parse(row.role),
      email: row.email,
      state: stateOf(row),
      created_by: row.created_by,
      created_at: iso(row.created_at),
      expires_at: iso(row.expires_at),
      used_by: row.used_by,
    })),
  };
}
