import { one, sql } from "@rigmark/db";
import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { audit } from "../internal/audit";

/** The token is refused from its next request on. Revoking twice is revoking once. */
export async function revokeToken({
  ctx,
  input,
}: Call<{ workspace: string | null; tokenId: string }>): Promise<Nothing> {
  const { userId } = requirePerson(ctx);
  const { workspace, tokenId } = input;
  const inside = workspace === null ? null : await enterWorkspace(ctx, workspace, "manageTokens");
  const revoked = await one<{ name: string }>(
    ctx.db,
    sql`UPDATE token SET revoked_at = coalesce(revoked_at, ${ctx.now()}) WHERE token_id = ${tokenId}
          AND CASE WHEN ${inside?.workspaceId ?? null}::uuid IS NULL THEN user_id = ${userId}
            ELSE user_id IS NULL AND workspace_id = ${inside?.workspaceId ?? null}::uuid END
        RETURNING name`,
  );
  if (!revoked) throw new DomainError("not_found", "There is no such token here.");
  if (inside)
    await audit(ctx.db, ctx, {
      workspaceId: inside.workspaceId,
      what: "token-revoked",
      subject: revoked.name,
    });
  return { ok: true };
}
