import { all, type Query, sql } from "@rigmark/db";
import { type ReportDays, ReportVisibility } from "@rigmark/results";
import type { ReportBrief } from "@rigmark/results/public";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { decodeCursor, encodeCursor } from "../internal/cursor";
import { iso, isoOrNull } from "../internal/moment";
import { noSuch } from "../internal/no-such";
import { reachReport } from "../internal/reach";
import { storeReport } from "./internal/store";
import { revokeReport } from "./revoke";

interface Row {
  report_id: string;
  slug: string;
  title: string;
  created_at: Date;
  revoked_at: Date | null;
  visibility: string;
  expires_at: Date | null;
}

const readReports = (ctx: Ctx, workspaceId: string, filter: Query, limit: number): Promise<Row[]> =>
  all<Row>(
    ctx.db,
    sql`SELECT p.report_id, s.slug, p.title, p.created_at, p.revoked_at, p.visibility, p.expires_at
        FROM report p JOIN report_slug s USING (workspace_id, report_id)
        WHERE p.workspace_id = ${workspaceId} AND ${filter}
        ORDER BY p.created_at DESC, p.report_id DESC LIMIT ${limit}`,
  );

function briefOf(ctx: Ctx, row: Row): ReportBrief {
  const url = `${ctx.config.publicUrl}/r/${row.slug}`;
  return {
    slug: row.slug,
    url,
    title: row.title,
    created_at: iso(row.created_at),
    revoked_at: isoOrNull(row.revoked_at),
    visibility: ReportVisibility.parse(row.visibility),
    expires_at: isoOrNull(row.expires_at),
    json_url: `${url}.json`,
    markdown_url: `${url}.md`,
    picture_url: `${url}/og.png`,
    badge_url: `${url}/badge.svg`,
  };
}

/** Reports of a workspace for the public API, newest first, revoked ones too. */
export async function describeReports({
  ctx,
  input,
}: Call<{ workspace: string; cursor?: string | undefined; limit: number }>): Promise<{
  items: ReportBrief[];
  next_cursor: string | null;
}> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const [at, id] = decodeCursor(input.cursor);
  const rows = await readReports(
    ctx,
    workspaceId,
    sql`(${at}::timestamptz IS NULL OR (p.created_at, p.report_id) < (${at}::timestamptz, ${id}::uuid))`,
    input.limit + 1,
  );
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => briefOf(ctx, row)),
    next_cursor: rows.length > page.length && last ? encodeCursor(last.created_at, last.report_id) : null,
  };
}

export async function describeReport({ ctx, input }: Call<{ slug: string }>): Promise<ReportBrief> {
  const { workspaceId, id } = await reachReport(ctx, input.slug, "read");
  const [row] = await readReports(ctx, workspaceId, sql`p.report_id = ${id}`, 1);
  if (!row) throw new DomainError("not_found", noSuch("report"));
  return briefOf(ctx, row);
}

/** Freezes runs as a report and describes it. The host's name stays hidden, as on the page unless somebody chooses. */
export async function createDescribedReport({
  ctx,
  input,
}: Call<{
  workspace: string;
  runIds: readonly string[];
  title: string | null;
  visibility?: ReportVisibility | undefined;
  expiresInDays?: ReportDays | undefined;
}>): Promise<ReportBrief> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const { workspace: _, ...rest } = input;
  const { slug } = await storeReport(ctx, { ...rest, workspaceId, showHostName: false });
  return describeReport({ ctx, input: { slug } });
}

export async function revokeReportBySlug({ ctx, input }: Call<{ slug: string }>): Promise<void> {
  const { slug: workspace, id: reportId } = await reachReport(ctx, input.slug, "queue");
  await revokeReport({ ctx, input: { workspace, reportId } });
}
