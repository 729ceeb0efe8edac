import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";

/** It gets nothing any more, also not what still waits. */
export async function deleteWebhook({
  ctx,
  input,
}: Call<{ workspace: string; webhookId: string }>): Promise<Nothing> {
  requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageWebhooks");
  const { count } = await ctx.db.prisma.webhook.deleteMany({
    where: { workspace_id: workspaceId, webhook_id: input.webhookId },
  });
  if (count === 0) throw new DomainError("not_found", "There is no such webhook in this workspace.");
  return { ok: true };
}
