import { all, sql } from "@rigmark/db";
import { type AuditPage, AuditWhat } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { decodeCursor, encodeCursor } from "../internal/cursor";
import { iso } from "../internal/moment";

const PAGE = 50;

interface Row {
  event_id: string;
  at: Date;
  actor_name: string;
  token_name: string | null;
  what: string;
  subject: string;
}

/** Who did what in the workspace, the newest first. */
export async function listAudit({
  ctx,
  input,
}: Call<{ workspace: string; cursor?: string | null | undefined }>): Promise<AuditPage> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "readAudit");
  const [at, id] = decodeCursor(input.cursor);
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT event_id, at, actor_name, token_name, what, subject FROM audit_event
        WHERE workspace_id = ${workspaceId}
          AND (${at}::timestamptz IS NULL OR (at, event_id) < (${at}::timestamptz, ${id}::uuid))
        ORDER BY at DESC, event_id DESC LIMIT ${PAGE + 1}`,
  );
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return {
    events: page.map(({ actor_name, token_name, what, at, ...row }) => ({
      ...row,
      at: iso(at),
      actor: actor_name,
      token: token_name,
      what: AuditWhat.parse(what),
    })),
    next_cursor: rows.length > page.length && last ? encodeCursor(last.at, last.event_id) : null,
  };
}
