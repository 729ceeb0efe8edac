import { all, run, sql } from "@rigmark/db";
import type { AlertMessage } from "@rigmark/results";
import type { Call, Ctx } from "../context";
import { requireSystem } from "../internal/access";
import { later } from "../internal/moment";
import { mailOf } from "./internal/mail";
import { PostError, post } from "./internal/post";
import { signatureOf } from "./internal/signature";
import { within } from "./internal/within";

interface Mail {
  to: string;
  subject: string;
  text: string;
}
export type SendMail = (mail: Mail) => Promise<void>;

/** Tried at the same time; each of them ends before it could be claimed again. */
const AT_ONCE = 16;
/** Of these: a round lasts as long as its slowest receiver, and one workspace's must not fill it. */
const OF_ONE_WORKSPACE = 2;
/** Pauses after a try that failed; after the last one it is given up. A test is tried once: whoever sent it looks on. */
const PAUSES_S = [60, 300, 1800, 7200, 21_600];
/** Where the process ends during a try, another one follows after this. */
const CLAIMED_S = 120;
/**
 * Longer than a greeting and an end of the data that take as long as the mailer waits for each (apps/web/src/server/mail.ts):
 * a mail that is given up here may still be taken, and would then come again.
 */
const MAIL_MS = 110_000;

interface Row {
  workspace_id: string;
  delivery_id: string;
  tries: number;
  message: AlertMessage;
  url: string | null;
  secret: string | null;
  email: string | null;
}
interface Outcome {
  status: number | null;
  /** Null: it was taken. */
  error: string | null;
}

/**
 * Sends what is due, to webhooks or by mail: a slow mail server holds up no webhook. Several processes may do it at the same time: each delivery is claimed by one. A receiver may get a
 * message twice, if it took it and its response was lost.
 */
export async function sendAlerts({
  ctx,
  input,
}: Call<{ sendMail: SendMail; by: "webhook" | "mail" }>): Promise<number> {
  requireSystem(ctx);
  const rows = await claim(ctx, input.by);
  await Promise.all(
    rows.map(async (row) => {
      await keep(ctx, row, await tryOnce(ctx, row, input.sendMail));
    }),
  );
  return rows.length;
}

function claim(ctx: Ctx, by: "webhook" | "mail"): Promise<Row[]> {
  const now = ctx.now();
  return all<Row>(
    ctx.db,
    sql`WITH due AS (
          SELECT workspace_id, delivery_id, row_number() OVER (PARTITION BY workspace_id ORDER BY next_try_at) AS nth
          FROM alert_delivery WHERE state = 'waiting' AND next_try_at <= ${now}
            AND (webhook_id IS NULL) = ${by === "mail"}),
        claimed AS (
          UPDATE alert_delivery SET tries = tries + 1, tried_at = ${now}, next_try_at = ${later(now, CLAIMED_S)}
          WHERE (workspace_id, delivery_id) IN (
            SELECT d.workspace_id, d.delivery_id FROM alert_delivery d JOIN due USING (workspace_id, delivery_id)
            WHERE due.nth <= ${OF_ONE_WORKSPACE} AND d.state = 'waiting' AND d.next_try_at <= ${now}
            ORDER BY due.nth, d.next_try_at LIMIT ${AT_ONCE} FOR UPDATE OF d SKIP LOCKED)
          RETURNING workspace_id, delivery_id, alert_id, webhook_id, user_id, tries)
        SELECT c.workspace_id, c.delivery_id, c.tries, a.message, w.url, w.secret, u.email
        FROM claimed c JOIN alert a USING (workspace_id, alert_id)
        LEFT JOIN webhook w ON w.workspace_id = c.workspace_id AND w.webhook_id = c.webhook_id
        LEFT JOIN "user" u ON u.id = c.user_id`,
  );
}

async function tryOnce(ctx: Ctx, row: Row, sendMail: SendMail): Promise<Outcome> {
  try {
    if (row.url !== null && row.secret !== null) return await toWebhook(ctx, row, row.url, row.secret);
    if (row.email === null) return { status: null, error: "There is nobody to send it to." };
    await within(MAIL_MS, sendMail({ to: row.email, ...mailOf(row.message, ctx.config.publicUrl) }));
    return { status: null, error: null };
  } catch (error) {
    if (error instanceof PostError) return { status: null, error: error.message };
    ctx.log.warn({ err: error, delivery_id: row.delivery_id }, "An alert could not be sent.");
    return { status: null, error: "It could not be sent; the server's log says why." };
  }
}

async function toWebhook(ctx: Ctx, row: Row, url: string, secret: string): Promise<Outcome> {
  const body = JSON.stringify(row.message);
  const status = await post({
    url,
    body,
    networks: ctx.config.webhookNetworks,
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": `Rigmark/${ctx.config.version}`,
      "rigmark-event": row.message.type,
      "rigmark-delivery": row.delivery_id,
      "rigmark-signature": signatureOf(secret, body, ctx.now()),
    },
  });
  if (status >= 200 && status < 300) return { status, error: null };
  const error =
    status >= 300 && status < 400
      ? `It redirected (${status}), and redirects are not followed; enter the address that it redirects to.`
      : `It responded with status ${status}.`;
  return { status, error };
}

async function keep(ctx: Ctx, row: Row, { status, error }: Outcome): Promise<void> {
  const pause = row.message.type === "test" ? undefined : PAUSES_S[row.tries - 1];
  const state = error === null ? "sent" : pause === undefined ? "failed" : "waiting";
  const next = state === "waiting" ? later(ctx.now(), pause ?? 0) : null;
  await run(
    ctx.db,
    sql`UPDATE alert_delivery SET state = ${state}, next_try_at = ${next}, status = ${status}, error = ${error}
        WHERE workspace_id = ${row.workspace_id} AND delivery_id = ${row.delivery_id} AND tries = ${row.tries}
          AND state = 'waiting'`,
  );
}
