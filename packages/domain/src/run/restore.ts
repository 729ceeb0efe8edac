import { all, sql } from "@rigmark/db";
import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { audit, runsInWords } from "../internal/audit";
import { topics } from "../internal/bus";
import { oldestKept } from "../internal/deleted";

/** Brings deleted runs back as they were: all of them or none. A run that is there stays as it is. */
export async function restoreRuns({
  ctx,
  input,
}: Call<{ workspace: string; runIds: readonly string[] }>): Promise<Nothing> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "deleteRuns");
  const runIds = [...new Set(input.runIds.map((id) => id.toLowerCase()))];
  await ctx.db.tx(async (tx) => {
    const rows = await all<{ title: string }>(
      tx,
      sql`UPDATE run SET deleted_at = NULL, restored_at = CASE WHEN deleted_at IS NULL THEN restored_at ELSE ${ctx.now()}::timestamptz END,
            revision = revision + 1
          WHERE workspace_id = ${workspaceId} AND run_id = ANY(${runIds}::uuid[])
            AND (deleted_at IS NULL OR deleted_at > ${oldestKept(ctx.now())})
          RETURNING title`,
    );
    if (rows.length === runIds.length) {
      const subject = runsInWords(rows.map((row) => row.title));
      await audit(tx, ctx, { workspaceId, what: "runs-restored", subject });
      return;
    }
    throw new DomainError(
      "not_found",
      "There is no such run in this workspace, or it was deleted too long ago to be restored.",
    );
  });
  for (const runId of runIds) ctx.bus.hint(topics.run(runId));
  return { ok: true };
}
