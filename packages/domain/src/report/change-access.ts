import { one, sql } from "@rigmark/db";
import { type Nothing, type ReportDays, ReportSnapshot, type ReportVisibility } from "@rigmark/results";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { audit } from "../internal/audit";
import { topics } from "../internal/bus";
import { expiryAfter } from "./internal/expiry";
import { listingOf } from "./internal/listing";
import { standingsOf } from "./internal/standings";

interface Changes {
  workspace: string;
  reportId: string;
  visibility: ReportVisibility;
  /** From now on; null: it does not expire; absent: its expiry stays. */
  expiresInDays?: ReportDays | undefined;
}

/** Who can read a report, and until when. It works within a second, in every form; an expired report can be brought back. */
export async function changeReportAccess({ ctx, input }: Call<Changes>): Promise<Nothing> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  if (input.visibility === "public") await makeListing(ctx, workspaceId, input.reportId);
  const keeps = input.expiresInDays === undefined;
  const until = expiryAfter(ctx, input.expiresInDays ?? null);
  const row = await one<{ run_id: string; title: string }>(
    ctx.db,
    sql`UPDATE report SET visibility = ${input.visibility},
          expires_at = CASE WHEN ${keeps}::boolean THEN expires_at ELSE ${until}::timestamptz END
        WHERE workspace_id = ${workspaceId} AND report_id = ${input.reportId} AND revoked_at IS NULL
        RETURNING run_id, title`,
  );
  if (!row)
    throw new DomainError(
      "not_found",
      "There is no such report in this workspace, or it was revoked. Share the run again.",
    );
  await audit(ctx.db, ctx, { workspaceId, what: "report-access-changed", subject: row.title });
  ctx.bus.hint(topics.run(row.run_id));
  return { ok: true };
}

/** Once for each report: what is frozen stays what it is. */
async function makeListing(ctx: Ctx, workspace_id: string, report_id: string): Promise<void> {
  const { prisma } = ctx.db;
  const report = await prisma.report.findFirst({
    where: {
      workspace_id,
      report_id,
      revoked_at: null,
      OR: [{ listing: null }, { standings: { none: {} } }],
    },
    select: { snapshot: true },
  });
  if (!report) return;
  const snapshot = ReportSnapshot.parse(JSON.parse(report.snapshot));
  const listing = listingOf(snapshot);
  const at = { workspace_id, report_id };
  const standings = standingsOf(snapshot).map((standing) => ({ ...at, ...standing }));
  await prisma.standing.createMany({ data: standings, skipDuplicates: true });
  await prisma.reportListing.createMany({ data: [{ ...at, ...listing }], skipDuplicates: true });
}
