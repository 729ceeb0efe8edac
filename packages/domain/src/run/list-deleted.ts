import { all, sql } from "@rigmark/db";
import type { DeletedRuns } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { keptUntil, oldestKept } from "../internal/deleted";
import { iso } from "../internal/moment";

const MOST = 100;

/** Runs that can still be restored, the last one deleted first. */
export async function listDeletedRuns({ ctx, input }: Call<{ workspace: string }>): Promise<DeletedRuns> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const rows = await all<{ run_id: string; title: string; deleted_at: Date | null }>(
    ctx.db,
    sql`SELECT run_id, title, deleted_at FROM run
        WHERE workspace_id = ${workspaceId} AND deleted_at > ${oldestKept(ctx.now())}
        ORDER BY deleted_at DESC, run_id DESC LIMIT ${MOST}`,
  );
  return {
    runs: rows.flatMap(({ deleted_at, ...run }) =>
      deleted_at === null
        ? []
        : [{ ...run, deleted_at: iso(deleted_at), kept_until: iso(keptUntil(deleted_at)) }],
    ),
  };
}
