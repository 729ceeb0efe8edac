import { all, sql } from "@rigmark/db";
import { isPrivate } from "../address";
import type { Call } from "../context";
import { iso, isoOrNull } from "../moment";
import { enterWorkspace } from "../workspace/access";
import type { ReportList } from "./view";

interface Row {
  report_id: string;
  slug: string;
  title: string;
  run_id: string;
  host_name: string;
  created_at: Date;
  revoked_at: Date | null;
  headline: string | null;
}

export async function list({ ctx, input }: Call<{ workspace: string }>): Promise<ReportList> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace);
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT p.report_id, s.slug, p.title, p.run_id, p.host_name, p.created_at, p.revoked_at, p.headline
        FROM report p JOIN report_slug s USING (workspace_id, report_id)
        WHERE p.workspace_id = ${workspaceId} ORDER BY p.created_at DESC, p.report_id DESC LIMIT 500`,
  );
  return {
    reports: rows.map((row) => ({
      ...row,
      url: `${ctx.config.publicUrl}/r/${row.slug}`,
      created_at: iso(row.created_at),
      revoked_at: isoOrNull(row.revoked_at),
    })),
    public_url_is_private: isPrivate(ctx.config.publicUrl),
  };
}
