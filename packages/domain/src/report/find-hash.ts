import { one, sql } from "@rigmark/db";
import { ReportSlug } from "@rigmark/results";
import type { Call } from "../context";

/** Hash of what stands under a slug now; null for unknown and for revoked ones alike. Asked about each public request. */
export async function findReportHash({ ctx, input }: Call<{ slug: string }>): Promise<string | null> {
  if (!ReportSlug.safeParse(input.slug).success) return null;
  const row = await one<{ sha256: string }>(
    ctx.db,
    sql`SELECT p.sha256 FROM report_slug s JOIN report p USING (workspace_id, report_id)
        JOIN workspace w USING (workspace_id)
        WHERE s.slug = ${input.slug} AND p.revoked_at IS NULL AND w.deleted_at IS NULL`,
  );
  return row?.sha256 ?? null;
}
