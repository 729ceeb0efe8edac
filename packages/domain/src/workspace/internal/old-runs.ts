import { sql } from "@rigmark/db";
import { FINAL_STATES } from "@rigmark/protocol";
import { KEEP_TAG } from "@rigmark/results/retention";

const DAY_MS = 86_400_000;

/** What was there already so many days ago. */
export const beforeDays = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/**
 * Of a run `r` of a workspace: it ended, came as a file and was restored before that, and neither its tag nor a report
 * that somebody may read keeps it.
 */
export const isOld = (
  workspaceId: string,
  before: Date,
  now: Date,
) => sql`r.workspace_id = ${workspaceId} AND r.deleted_at IS NULL AND r.finished_at < ${before}
    AND r.created_at < ${before} AND (r.restored_at IS NULL OR r.restored_at < ${before})
    AND r.state = ANY(${FINAL_STATES}::text[])
    AND NOT EXISTS (SELECT 1 FROM unnest(r.tags) AS t(tag) WHERE lower(t.tag) = ${KEEP_TAG})
    AND NOT EXISTS (SELECT 1 FROM report p WHERE p.workspace_id = r.workspace_id AND p.revoked_at IS NULL
      AND (p.run_id = r.run_id OR p.run_ids @> ARRAY[r.run_id]) AND (p.expires_at IS NULL OR p.expires_at > ${now}))`;
