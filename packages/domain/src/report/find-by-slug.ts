import { one, sql } from "@rigmark/db";
import type { Ctx } from "../context";
import { DomainError } from "../error";
import { ReportSlug } from "../scalar";
import { ReportSnapshot } from "./snapshot";

/** For anybody who has the link. Unknown and revoked look the same. */
export async function findBySlug(ctx: Ctx, slug: string): Promise<ReportSnapshot> {
  const row = ReportSlug.safeParse(slug).success
    ? await one<{ snapshot: string }>(
        ctx.db,
        sql`SELECT p.snapshot FROM report_slug s JOIN report p USING (workspace_id, report_id)
            WHERE s.slug = ${slug} AND p.revoked_at IS NULL`,
      )
    : null;
  if (!row) {
    throw new DomainError(
      "not_found",
      "This report is gone: its owner took it back, or the link is not whole. Ask whoever sent it.",
    );
  }
  return ReportSnapshot.parse(JSON.parse(row.snapshot));
}
