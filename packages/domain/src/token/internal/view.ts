import { all, type Query, sql } from "@rigmark/db";
import type { Scope, TokenView } from "@rigmark/results";
import type { Ctx } from "../../context";
import { iso, isoOrNull } from "../../internal/moment";

interface Row {
  token_id: string;
  name: string;
  scopes: Scope[];
  prefix: string;
  slug: string | null;
  workspace_name: string | null;
  created_by_name: string | null;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** Newest first, at most 200: those that still work before the others. */
export async function readTokens(ctx: Ctx, filter: Query): Promise<TokenView[]> {
  const now = ctx.now();
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT t.token_id, t.name, t.scopes, t.prefix, s.slug, w.name AS workspace_name, u.name AS created_by_name,
          t.created_at, t.expires_at, t.last_used_at, t.revoked_at
        FROM token t LEFT JOIN workspace w USING (workspace_id) LEFT JOIN workspace_slug s USING (workspace_id)
        LEFT JOIN "user" u ON u.id = t.created_by
        WHERE ${filter}
        ORDER BY t.revoked_at IS NOT NULL OR coalesce(t.expires_at <= ${now}, false), t.created_at DESC, t.token_id DESC
        LIMIT 200`,
  );
  return rows.map((row) => ({
    token_id: row.token_id,
    name: row.name,
    scopes: row.scopes,
    prefix: row.prefix,
    workspace:
      row.slug === null || row.workspace_name === null ? null : { slug: row.slug, name: row.workspace_name },
    created_by: row.created_by_name,
    created_at: iso(row.created_at),
    expires_at: isoOrNull(row.expires_at),
    last_used_at: isoOrNull(row.last_used_at),
    revoked_at: isoOrNull(row.revoked_at),
    expired: row.expires_at !== null && row.expires_at <= now,
  }));
}
