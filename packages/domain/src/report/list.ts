import { type ReportList, ReportVisibility } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { isPrivate } from "../internal/address";
import { decodeCursor, encodeCursor } from "../internal/cursor";
import { iso, isoOrNull } from "../internal/moment";

const PAGE = 100;

/** Newest first, revoked and expired ones too. */
export async function listReports({
  ctx,
  input,
}: Call<{ workspace: string; cursor?: string | null | undefined }>): Promise<ReportList> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const [at, id] = decodeCursor(input.cursor);
  const behind =
    at === null ? {} : { OR: [{ created_at: { lt: at } }, { created_at: at, report_id: { lt: id } }] };
  const found = await ctx.db.prisma.report.findMany({
    where: { workspace_id: workspaceId, ...behind },
    select: {
      ...{ report_id: true, title: true, run_id: true, host_name: true, headline: true },
      ...{ created_at: true, revoked_at: true, visibility: true, expires_at: true },
      ...{ slug: { select: { slug: true } } },
    },
    orderBy: [{ created_at: "desc" }, { report_id: "desc" }],
    take: PAGE + 1,
  });
  const page = found.slice(0, PAGE);
  const last = page.at(-1);
  return {
    reports: page.map(({ slug, created_at, revoked_at, visibility, expires_at, ...report }) => ({
      ...report,
      slug: slug?.slug ?? "",
      url: `${ctx.config.publicUrl}/r/${slug?.slug}`,
      created_at: iso(created_at),
      revoked_at: isoOrNull(revoked_at),
      visibility: ReportVisibility.parse(visibility),
      expires_at: isoOrNull(expires_at),
      expired: expires_at !== null && expires_at <= ctx.now(),
    })),
    next_cursor: found.length > page.length && last ? encodeCursor(last.created_at, last.report_id) : null,
    public_url_is_private: isPrivate(ctx.config.publicUrl),
  };
}
