import { all, sql } from "@rigmark/db";
import type { AlertList, AlertMessage } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";

/** The newest alerts of runs that are still there, whoever was told of them. */
export async function listAlerts({
  ctx,
  input,
}: Call<{ workspace: string; limit: number }>): Promise<AlertList> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const rows = await all<{ message: AlertMessage }>(
    ctx.db,
    sql`SELECT a.message FROM alert a JOIN run r USING (workspace_id, run_id)
        WHERE a.workspace_id = ${workspaceId} AND r.deleted_at IS NULL
        ORDER BY a.created_at DESC, a.alert_id DESC LIMIT ${input.limit}`,
  );
  return { alerts: rows.map((row) => row.message) };
}
