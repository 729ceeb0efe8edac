import { one, sql } from "@rigmark/db";
import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { audit } from "../internal/audit";
import { topics } from "../internal/bus";
import { noSuch } from "../internal/no-such";

/** The link stops working within a second, in every form, and what it showed is gone. Revoking twice is revoking once. */
export async function revokeReport({
  ctx,
  input,
}: Call<{ workspace: string; reportId: string }>): Promise<Nothing> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const row = await one<{ run_id: string; title: string }>(
    ctx.db,
    sql`UPDATE report SET revoked_at = coalesce(revoked_at, ${ctx.now()}), snapshot = ''
        WHERE workspace_id = ${workspaceId} AND report_id = ${input.reportId} RETURNING run_id, title`,
  );
  if (!row) throw new DomainError("not_found", noSuch("report"));
  await audit(ctx.db, ctx, { workspaceId, what: "report-revoked", subject: row.title });
  ctx.bus.hint(topics.run(row.run_id));
  return { ok: true };
}
