import { type Queryable, run, sql } from "@rigmark/db";
import type { Source } from "@rigmark/protocol";
import { repositoryName } from "@rigmark/results/source";
import { storableJson } from "../text";

/** Writes which commit a run measured, and what it is found by. For runs that are queued and for those that are published. */
export async function setSource(
  tx: Queryable,
  at: { workspaceId: string; runId: string },
  source: Source,
): Promise<void> {
  await run(
    tx,
    sql`UPDATE run SET source = ${storableJson(source)}, source_repository = ${repositoryName(source.repository)},
          source_commit = ${source.commit}, source_branch = ${source.branch}, source_pull_request = ${source.pull_request}
        WHERE workspace_id = ${at.workspaceId} AND run_id = ${at.runId}`,
  );
}
