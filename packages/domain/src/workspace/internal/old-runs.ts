import { sql } from "@rigmark/db";
import { FINAL_STATES } from "@rigmark/protocol";
import { KEEP_TAG } from "@rigmark/results/retention";

const DAY_MS = 86_400_000;

/** What ended before, the rule deletes. */
export const endedBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** Of a run `r`: it has ended, and neither its tag nor a report that somebody may read keeps it. */
export const isOld = (now: Date) => sql`r.deleted_at IS NULL AND r.state = ANY(${FINAL_STATES}::text[])
  AND NOT r.tags @> ARRAY[${KEEP_TAG}]::text[]
  AND NOT EXISTS (SELECT 1 FROM report p WHERE p.workspace_id = r.workspace_id AND p.run_id = r.run_id AND p.revoked_at IS NULL
    AND (p.expires_at IS NULL OR p.expires_at > ${now}))`;
