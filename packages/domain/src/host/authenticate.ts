import { one, run, sql } from "@rigmark/db";
import type { Actor, Call } from "../context";
import { DomainError } from "../error";
import { topics } from "../internal/bus";
import { revoked } from "../internal/host/revoked";
import { hashSecret } from "../internal/secret";

/** Writes `last_seen_at` at most this often. */
const SEEN_EVERY_MS = 5000;

interface Row {
  workspace_id: string;
  host_id: string;
  revoked_at: Date | null;
  last_seen_at: Date | null;
  enrollment_id: string | null;
}

/** Who a session token belongs to. Asked on each request, so that a revoked host is out at once. */
export async function authenticateHost({ ctx, input }: Call<{ token: string | null }>): Promise<Actor> {
  if (!input.token)
    throw new DomainError("unauthenticated", "The request has no session token; open a session first.");
  const now = ctx.now();
  const row = await one<Row>(
    ctx.db,
    sql`SELECT h.workspace_id, h.host_id, h.revoked_at, h.last_seen_at,
          (SELECT k.enrollment_id FROM enrollment_key k
           WHERE k.workspace_id = h.workspace_id AND k.host_id = h.host_id AND h.last_seen_at IS NULL) AS enrollment_id
        FROM host_session s JOIN host h USING (workspace_id, host_id)
        WHERE s.token_hash = ${hashSecret(input.token)} AND s.expires_at > ${now}`,
  );
  if (!row) throw new DomainError("unauthenticated", "The session is over or unknown; open a new one.");
  if (row.revoked_at) throw revoked();
  if (!row.last_seen_at || now.getTime() - row.last_seen_at.getTime() > SEEN_EVERY_MS) {
    await run(
      ctx.db,
      sql`UPDATE host SET last_seen_at = ${now} WHERE workspace_id = ${row.workspace_id} AND host_id = ${row.host_id}`,
    );
    if (row.enrollment_id) ctx.bus.hint(topics.enrollment(row.enrollment_id));
  }
  return { kind: "agent", workspaceId: row.workspace_id, hostId: row.host_id };
}
