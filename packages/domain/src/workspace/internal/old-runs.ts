import { sql } from "@rigmark/db";
import { FINAL_STATES } from "@rigmark/protocol";
import { KEEP_TAG } from "@rigmark/results/retention";

const DAY_MS = 86_400_000;

/** What ended before, the rule deletes. */
export const endedBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** Of a run `r` of a workspace: it has ended, and neither its tag nor a report that somebody may read keeps it. */
export const isOld = (
  workspaceId: string,
  now: Date,
) => sql`r.workspace_id = ${workspaceId} AND r.deleted_at IS NULL
  AND r.state = ANY(${FINAL_STATES}::text[]) AND NOT r.tags @> ARRAY[${KEEP_TAG}]::text[]
  AND r.run_id NOT IN (SELECT unnest(p.run_ids) FROM report p WHERE p.workspace_id = ${workspaceId} AND p.revoked_at IS NULL
    AND (p.expires_at IS NULL OR p.expires_at > ${now}))`;
