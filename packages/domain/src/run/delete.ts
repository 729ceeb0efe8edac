import { all, sql } from "@rigmark/db";
import { FINAL_STATES } from "@rigmark/protocol";
import type { RunsDeleted } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { audit, runsInWords } from "../internal/audit";
import { topics } from "../internal/bus";
import { keptUntil, oldestKept } from "../internal/deleted";
import { iso } from "../internal/moment";
import { noSuch } from "../internal/no-such";

/**
 * Takes runs that have ended out of everything but the reports that were made of them: all of them or none. They can be
 * restored for some days. Deleting a run twice is deleting it once.
 */
export async function deleteRuns({
  ctx,
  input,
}: Call<{ workspace: string; runIds: readonly string[] }>): Promise<RunsDeleted> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "deleteRuns");
  const runIds = [...new Set(input.runIds.map((id) => id.toLowerCase()))];
  const now = ctx.now();
  const deleted = await ctx.db.tx(async (tx) => {
    const rows = await all<{ title: string; deleted_at: Date | null }>(
      tx,
      sql`UPDATE run SET deleted_at = coalesce(deleted_at, ${now}), revision = revision + 1
          WHERE workspace_id = ${workspaceId} AND run_id = ANY(${runIds}::uuid[]) AND state = ANY(${FINAL_STATES}::text[])
            AND (deleted_at IS NULL OR deleted_at > ${oldestKept(now)})
          RETURNING title, deleted_at`,
    );
    if (rows.length < runIds.length) {
      const left = await all<{ state: string }>(
        tx,
        sql`SELECT state FROM run WHERE workspace_id = ${workspaceId} AND run_id = ANY(${runIds}::uuid[])
              AND deleted_at IS NULL`,
      );
      if (left.length === 0) throw new DomainError("not_found", noSuch("run"));
      throw new DomainError("state", "Only a run that has ended can be deleted; cancel it first.");
    }
    const subject = runsInWords(rows.map((row) => row.title));
    await audit(tx, ctx, { workspaceId, what: "runs-deleted", subject });
    return rows;
  });
  for (const runId of runIds) ctx.bus.hint(topics.run(runId));
  const first = Math.min(...deleted.map((row) => row.deleted_at?.getTime() ?? now.getTime()));
  return { kept_until: iso(keptUntil(new Date(first))) };
}
