import { MOST_WEBHOOKS, type WebhookCreated } from "@rigmark/results";
import { uuidv7 } from "uuidv7";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { iso } from "../internal/moment";
import { newSecret } from "../internal/secret";
import { storable } from "../internal/text";
import { checkUrl } from "./internal/check-url";

/** An address that gets each alert of the workspace, signed with a secret that is shown once. */
export async function createWebhook({
  ctx,
  input,
}: Call<{ workspace: string; url: string }>): Promise<WebhookCreated> {
  const { userId, name } = requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageWebhooks");
  const url = checkUrl(storable(input.url), ctx.config);
  const had = await ctx.db.prisma.webhook.count({ where: { workspace_id: workspaceId } });
  if (had >= MOST_WEBHOOKS)
    throw new DomainError(
      "state",
      `A workspace has at most ${MOST_WEBHOOKS} webhooks; delete one that you do not need.`,
    );
  const webhookId = uuidv7();
  const secret = newSecret("rgmw_");
  const now = ctx.now();
  await ctx.db.prisma.webhook.create({
    data: {
      ...{ workspace_id: workspaceId, webhook_id: webhookId, url, secret },
      ...{ created_by: userId, created_at: now },
    },
  });
  return { secret, view: { webhook_id: webhookId, url, created_by: name, created_at: iso(now) } };
}
