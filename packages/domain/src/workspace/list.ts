import { all, sql } from "@rigmark/db";
import type { Call } from "../context";
import { DomainError } from "../error";
import { iso } from "../moment";
import type { Role, WorkspaceView } from "./view";

interface Row {
  workspace_id: string;
  slug: string;
  name: string;
  role: Role;
  created_at: Date;
  hosts: number;
  runs: number;
  reports: number;
}

/** The workspaces that the person belongs to, the oldest membership first. */
export async function list({ ctx, input }: Call<{ slug?: string }>): Promise<WorkspaceView[]> {
  if (ctx.actor.kind !== "user") throw new DomainError("unauthenticated", "Sign in first.");
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT w.workspace_id, s.slug, w.name, m.role, w.created_at,
          (SELECT count(*) FROM host h WHERE h.workspace_id = w.workspace_id AND h.revoked_at IS NULL) AS hosts,
          (SELECT count(*) FROM run r WHERE r.workspace_id = w.workspace_id) AS runs,
          (SELECT count(*) FROM report p WHERE p.workspace_id = w.workspace_id AND p.revoked_at IS NULL) AS reports
        FROM member m JOIN workspace w USING (workspace_id) JOIN workspace_slug s USING (workspace_id)
        WHERE m.user_id = ${ctx.actor.userId} AND (${input.slug ?? null}::text IS NULL OR s.slug = ${input.slug ?? null})
        ORDER BY m.created_at, s.slug`,
  );
  return rows.map((row) => ({ ...row, created_at: iso(row.created_at) }));
}
