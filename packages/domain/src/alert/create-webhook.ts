import { one, run, sql } from "@rigmark/db";
import { MOST_WEBHOOKS, type WebhookCreated } from "@rigmark/results";
import { uuidv7 } from "uuidv7";
import type { Call } from "../context";
import { enterWorkspace, requirePerson } from "../internal/access";
import { audit } from "../internal/audit";
import { iso } from "../internal/moment";
import { countAlone, requireFewer } from "../internal/quota";
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
  const webhookId = uuidv7();
  const secret = newSecret("rgmw_");
  const now = ctx.now();
  await ctx.db.tx(async (tx) => {
    await countAlone(tx, workspaceId);
    const had = await one<{ n: number }>(
      tx,
      sql`SELECT count(*)::int AS n FROM webhook WHERE workspace_id = ${workspaceId}`,
    );
    requireFewer(had?.n, MOST_WEBHOOKS, "webhooks");
    await run(
      tx,
      sql`INSERT INTO webhook (workspace_id, webhook_id, url, secret, created_by, created_at)
          VALUES (${workspaceId}, ${webhookId}, ${url}, ${secret}, ${userId}, ${now})`,
    );
    await audit(tx, ctx, { workspaceId, what: "webhook-created", subject: new URL(url).origin });
  });
  return { secret, view: { webhook_id: webhookId, url, created_by: name, created_at: iso(now) } };
}
