import { all, run, sql, type Tx } from "@rigmark/db";

/** Takes a workspace away from everybody and ends what runs in it. Returns the runs that were not over. */
export async function endWorkspace(tx: Tx, workspaceId: string, now: Date): Promise<string[]> {
  await run(tx, sql`UPDATE workspace SET deleted_at = ${now} WHERE workspace_id = ${workspaceId}`);
  // Nobody is there to see them end.
  await run(tx, sql`UPDATE attempt SET live = false WHERE workspace_id = ${workspaceId} AND live`);
  const runs = await all<{ run_id: string }>(
    tx,
    sql`UPDATE run SET state = 'cancelled', finished_at = ${now}, revision = revision + 1,
          error_code = 'workspace-deleted', error_message = 'The workspace was deleted while the run was not over.'
        WHERE workspace_id = ${workspaceId} AND finished_at IS NULL RETURNING run_id`,
  );
  return runs.map(({ run_id }) => run_id);
}
