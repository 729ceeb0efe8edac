import { all, sql, type Tx } from "@rigmark/db";
import type { Ctx } from "../context";
import { audit } from "./audit";

/**
 * Revokes the tokens of a workspace that a person made, once they may make none there: they may have kept a copy. The log
 * names each, so that others see which program needs a new one.
 */
export async function revokeTokensMadeBy(
  tx: Tx,
  ctx: Ctx,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  const revoked = await all<{ name: string }>(
    tx,
    sql`UPDATE token SET revoked_at = ${ctx.now()}
        WHERE workspace_id = ${workspaceId} AND user_id IS NULL AND created_by = ${userId} AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > ${ctx.now()})
        RETURNING name`,
  );
  for (const { name } of revoked) await audit(tx, ctx, { workspaceId, what: "token-revoked", subject: name });
}
