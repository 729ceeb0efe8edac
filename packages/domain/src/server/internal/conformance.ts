import { all, sql } from "@rigmark/db";
import type { ServerConformance } from "@rigmark/results";
import type { Ctx } from "../../context";

/** What the newest run that looked at it says, for each workload. */
export const newestConformance = (
  ctx: Ctx,
  workspaceId: string,
  server: string,
): Promise<ServerConformance[]> =>
  all<ServerConformance>(
    ctx.db,
    sql`SELECT DISTINCT ON (c.workload) c.workload, c.checks, e.label, a.run_id
        FROM entry e
        JOIN conformance c ON c.workspace_id = e.workspace_id AND c.attempt_id = e.attempt_id AND c.entry_key = e.entry_key
        JOIN attempt a ON a.workspace_id = e.workspace_id AND a.attempt_id = e.attempt_id
        JOIN run r ON r.workspace_id = a.workspace_id AND r.run_id = a.run_id
        WHERE e.workspace_id = ${workspaceId} AND e.server = ${server} AND r.deleted_at IS NULL
        ORDER BY c.workload, a.attempt_id DESC, c.seq`,
  );
