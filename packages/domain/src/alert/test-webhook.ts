import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { noSuch } from "../internal/no-such";
import { putTest } from "./internal/put-test";

/** Sends a test to one webhook. */
export async function testWebhook({
  ctx,
  input,
}: Call<{ workspace: string; webhookId: string }>): Promise<Nothing> {
  requirePerson(ctx);
  const access = await enterWorkspace(ctx, input.workspace, "manageWebhooks");
  const found = await ctx.db.prisma.webhook.findFirst({
    where: { workspace_id: access.workspaceId, webhook_id: input.webhookId },
  });
  if (!found) throw new DomainError("not_found", noSuch("webhook"));
  await putTest(ctx, access, { webhook_id: found.webhook_id, user_id: null });
  return { ok: true };
}
