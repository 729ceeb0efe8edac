import { all, type Queryable, run, sql } from "@rigmark/db";
import type { AlertMessage } from "@rigmark/results";
import { uuidv7 } from "uuidv7";
import { storableJson } from "../../internal/text";

/** A webhook, or a member. */
export interface Receiver {
  webhook_id: string | null;
  user_id: string | null;
}

export const receiversOf = (on: Queryable, workspaceId: string): Promise<Receiver[]> =>
  all<Receiver>(
    on,
    sql`SELECT webhook_id, NULL::text AS user_id FROM webhook WHERE workspace_id = ${workspaceId}
        UNION ALL SELECT NULL::uuid, user_id FROM alert_mail WHERE workspace_id = ${workspaceId}`,
  );

interface NewAlert {
  workspaceId: string;
  message: AlertMessage;
  /** Names of the change points in it. */
  changes: readonly string[];
  receivers: readonly Receiver[];
}

/** Keeps an alert and a delivery for each receiver. False where the run has an alert already. */
export async function putAlert(
  tx: Queryable,
  { workspaceId, message, changes, receivers }: NewAlert,
  now: Date,
): Promise<boolean> {
  const made = await run(
    tx,
    sql`INSERT INTO alert (workspace_id, alert_id, run_id, changes, message, created_at)
        VALUES (${workspaceId}, ${message.id}, ${message.run?.id ?? null}, ${changes}, ${storableJson(message)}, ${now})
        ON CONFLICT (workspace_id, run_id) DO NOTHING`,
  );
  if (made === 0) return false;
  for (const { webhook_id, user_id } of receivers)
    await run(
      tx,
      sql`INSERT INTO alert_delivery (workspace_id, delivery_id, alert_id, webhook_id, user_id, next_try_at, created_at)
          VALUES (${workspaceId}, ${uuidv7()}, ${message.id}, ${webhook_id}, ${user_id}, ${now}, ${now})`,
    );
  return true;
}
