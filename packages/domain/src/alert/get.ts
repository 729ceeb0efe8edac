import { all, sql } from "@rigmark/db";
import type { AlertDelivery, AlertMessage, AlertSettings } from "@rigmark/results";
import type { Call, Ctx } from "../context";
import { enterWorkspace, requirePerson } from "../internal/access";
import { may } from "../internal/may";
import { iso, isoOrNull } from "../internal/moment";

const MOST_DELIVERIES = 30;

/** Who gets alerts of the workspace, and what became of the last ones. Of mails a person sees only their own. */
export async function getAlerts({ ctx, input }: Call<{ workspace: string }>): Promise<AlertSettings> {
  const { userId, email } = requirePerson(ctx);
  const { workspaceId, role } = await enterWorkspace(ctx, input.workspace, "read");
  const mayChange = may(role, "manageWebhooks");
  const [mail, webhooks, deliveries] = await Promise.all([
    ctx.db.prisma.alertMail.findFirst({ where: { workspace_id: workspaceId, user_id: userId } }),
    readWebhooks(ctx, workspaceId),
    readDeliveries(ctx, workspaceId, userId),
  ]);
  return {
    mail: { on: mail !== null, address: email },
    webhooks: webhooks.map(({ created_at, url, ...row }) => ({
      ...row,
      url: mayChange ? url : originOf(url),
      created_at: iso(created_at),
    })),
    may_change: mayChange,
    deliveries: deliveries.map(deliveryOf),
  };
}

const originOf = (url: string): string => new URL(url).origin;

const readWebhooks = (ctx: Ctx, workspaceId: string) =>
  all<{ webhook_id: string; url: string; created_by: string | null; created_at: Date }>(
    ctx.db,
    sql`SELECT w.webhook_id, w.url, u.name AS created_by, w.created_at FROM webhook w
        LEFT JOIN "user" u ON u.id = w.created_by
        WHERE w.workspace_id = ${workspaceId} ORDER BY w.created_at, w.webhook_id`,
  );

interface Row {
  delivery_id: string;
  run_id: string | null;
  message: AlertMessage;
  url: string | null;
  email: string | null;
  state: AlertDelivery["state"];
  tries: number;
  status: number | null;
  error: string | null;
  created_at: Date;
  next_try_at: Date | null;
}

const readDeliveries = (ctx: Ctx, workspaceId: string, userId: string): Promise<Row[]> =>
  all<Row>(
    ctx.db,
    sql`SELECT d.delivery_id, a.run_id, a.message, w.url, u.email, d.state, d.tries, d.status, d.error, d.created_at,
          d.next_try_at
        FROM alert_delivery d JOIN alert a USING (workspace_id, alert_id)
        LEFT JOIN webhook w ON w.workspace_id = d.workspace_id AND w.webhook_id = d.webhook_id
        LEFT JOIN "user" u ON u.id = d.user_id
        WHERE d.workspace_id = ${workspaceId} AND (d.user_id IS NULL OR d.user_id = ${userId})
        ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT ${MOST_DELIVERIES}`,
  );

const deliveryOf = ({ message, url, email, created_at, next_try_at, ...row }: Row): AlertDelivery => ({
  ...row,
  to: url === null ? (email ?? "") : originOf(url),
  test: message.type === "test",
  text: message.text,
  created_at: iso(created_at),
  next_try_at: isoOrNull(next_try_at),
});
