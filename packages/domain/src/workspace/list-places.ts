import { all, sql } from "@rigmark/db";
import { Role, type WorkspacePlace } from "@rigmark/results";
import type { Ctx } from "../context";
import { requireScope, roleOfToken, signInFirst } from "../internal/access";
import { actionsOf } from "../internal/may";

/** The same workspaces as `listWorkspaces`, without counting what is in them: every page asks. */
export async function listPlaces({ ctx }: { ctx: Ctx }): Promise<WorkspacePlace[]> {
  const { actor } = ctx;
  requireScope(actor, "read");
  if (actor.kind === "workspace") {
    const role = roleOfToken(actor.token.scopes);
    const rows = await all<{ slug: string; name: string }>(
      ctx.db,
      sql`SELECT s.slug, w.name FROM workspace w JOIN workspace_slug s USING (workspace_id)
          WHERE w.workspace_id = ${actor.workspaceId} AND w.deleted_at IS NULL`,
    );
    return rows.map((row) => ({ ...row, role, may: actionsOf(role) }));
  }
  if (actor.kind !== "user") throw signInFirst();
  const only = actor.token?.workspaceId ?? null;
  const rows = await all<{ slug: string; name: string; role: string }>(
    ctx.db,
    sql`SELECT s.slug, w.name, m.role FROM member m
        JOIN workspace w USING (workspace_id)
        JOIN workspace_slug s USING (workspace_id)
        WHERE m.user_id = ${actor.userId} AND w.deleted_at IS NULL
          AND (${only}::uuid IS NULL OR m.workspace_id = ${only}::uuid)
        ORDER BY m.created_at, s.slug`,
  );
  return rows.map((row) => {
    const role = Role.parse(row.role);
    return { ...row, role, may: actionsOf(role) };
  });
}
