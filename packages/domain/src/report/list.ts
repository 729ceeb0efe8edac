import { type ReportList, ReportVisibility } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { isPrivate } from "../internal/address";
import { iso, isoOrNull } from "../internal/moment";

export async function listReports({ ctx, input }: Call<{ workspace: string }>): Promise<ReportList> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const reports = await ctx.db.prisma.report.findMany({
    where: { workspace_id: workspaceId },
    select: {
      ...{ report_id: true, title: true, run_id: true, host_name: true, headline: true },
      ...{ created_at: true, revoked_at: true, visibility: true, expires_at: true },
      ...{ slug: { select: { slug: true } } },
    },
    orderBy: [{ created_at: "desc" }, { report_id: "desc" }],
    take: 500,
  });
  return {
    reports: reports.map(({ slug, created_at, revoked_at, visibility, expires_at, ...report }) => ({
      ...report,
      slug: slug?.slug ?? "",
      url: `${ctx.config.publicUrl}/r/${slug?.slug}`,
      created_at: iso(created_at),
      revoked_at: isoOrNull(revoked_at),
      visibility: ReportVisibility.parse(visibility),
      expires_at: isoOrNull(expires_at),
      expired: expires_at !== null && expires_at <= ctx.now(),
    })),
    public_url_is_private: isPrivate(ctx.config.publicUrl),
  };
}
