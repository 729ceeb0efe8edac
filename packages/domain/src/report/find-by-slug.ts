import { one, sql } from "@rigmark/db";
import type { Ctx } from "../context";
import { DomainError } from "../error";
import { ReportSlug } from "../scalar";
import { ReportSnapshot } from "./snapshot";

export interface FoundReport {
  snapshot: ReportSnapshot;
  /** The stored text, for those who want it byte for byte. */
  text: string;
  sha256: string;
}

/** For anybody who has the link. Unknown and revoked look the same. */
export async function findBySlug(ctx: Ctx, slug: string): Promise<FoundReport> {
  const row = ReportSlug.safeParse(slug).success
    ? await one<{ snapshot: string; sha256: string }>(
        ctx.db,
        sql`SELECT p.snapshot, p.sha256 FROM report_slug s JOIN report p USING (workspace_id, report_id)
            WHERE s.slug = ${slug} AND p.revoked_at IS NULL`,
      )
    : null;
  if (!row) {
    throw new DomainError(
      "not_found",
      "This report is gone: its owner took it back, or the link is not whole. Ask whoever sent it.",
    );
  }
  return { snapshot: ReportSnapshot.parse(JSON.parse(row.snapshot)), text: row.snapshot, sha256: row.sha256 };
}
