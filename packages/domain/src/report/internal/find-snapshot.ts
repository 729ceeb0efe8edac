import { ReportSlug, ReportSnapshot } from "@rigmark/results";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { PRESENT } from "../../internal/access";
import { completeSummary } from "../../internal/run/complete-summary";

/** For anybody who has the link. Unknown and revoked look the same. */
export async function findSnapshot(ctx: Ctx, slug: string): Promise<ReportSnapshot> {
  const row = ReportSlug.safeParse(slug).success
    ? await ctx.db.prisma.report.findFirst({
        where: { slug: { slug }, revoked_at: null, workspace: PRESENT },
        select: { snapshot: true },
      })
    : null;
  if (!row) {
    throw new DomainError(
      "not_found",
      "This report is gone: its owner revoked it, or the link is incomplete. Ask whoever sent it.",
    );
  }
  const snapshot = ReportSnapshot.parse(JSON.parse(row.snapshot));
  return { ...snapshot, runs: snapshot.runs.map(completeSummary) };
}
