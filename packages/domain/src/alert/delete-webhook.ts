import { one, sql } from "@rigmark/db";
import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { audit } from "../internal/audit";
import { noSuch } from "../internal/no-such";

/** It gets nothing any more, also not what still waits. */
export async function deleteWebhook({
  ctx,
  input,
}: Call<{ workspace: string; webhookId: string }>): Promise<Nothing> {
  requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageWebhooks");
  const deleted = await one<{ url: string }>(
    ctx.db,
    sql`DELETE FROM webhook WHERE workspace_id = ${workspaceId} AND webhook_id = ${input.webhookId} RETURNING url`,
  );
  if (!deleted) throw new DomainError("not_found", noSuch("webhook"));
  await audit(ctx.db, ctx, { workspaceId, what: "webhook-deleted", subject: new URL(deleted.url).origin });
  return { ok: true };
}
