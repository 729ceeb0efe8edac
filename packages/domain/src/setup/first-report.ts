import { one, sql } from "@rigmark/db";
import type { Call } from "../context";
import type { FirstReport } from "./view";

/**
 * The report that the launcher made of its first comparison, for the front page: the newest that was not revoked. People's
 * own reports are never named there; who has no link does not find them.
 */
export async function firstReport({ ctx }: { ctx: Call<never>["ctx"] }): Promise<FirstReport | null> {
  const row = await one<{ slug: string; headline: string | null }>(
    ctx.db,
    sql`SELECT s.slug, r.headline FROM workspace w JOIN report r USING (workspace_id)
        JOIN report_slug s USING (workspace_id, report_id)
        WHERE w.home AND r.created_by IS NULL AND r.revoked_at IS NULL ORDER BY r.created_at DESC LIMIT 1`,
  );
  return row && { url: `${ctx.config.publicUrl}/r/${row.slug}`, headline: row.headline };
}
