import { one, sql } from "@rigmark/db";
import { ReportSlug } from "@rigmark/results";
import type { Call } from "../context";

/** What stands under a slug. */
export interface ReportHash {
  sha256: string;
  /** It is for members of its workspace; nobody else may learn that it is there. */
  membersOnly: boolean;
}

/** Hash of what stands under a slug now; null for unknown, revoked and expired ones alike. Asked about each public request. */
export async function findReportHash({ ctx, input }: Call<{ slug: string }>): Promise<ReportHash | null> {
  if (!ReportSlug.safeParse(input.slug).success) return null;
  const row = await one<{ sha256: string; visibility: string }>(
    ctx.db,
    sql`SELECT p.sha256, p.visibility FROM report_slug s JOIN report p USING (workspace_id, report_id)
        JOIN workspace w USING (workspace_id)
        WHERE s.slug = ${input.slug} AND p.revoked_at IS NULL AND (p.expires_at IS NULL OR p.expires_at > ${ctx.now()})
          AND w.deleted_at IS NULL`,
  );
  return row && { sha256: row.sha256, membersOnly: row.visibility === "private" };
}
