import { one, type Prisma, sql } from "@rigmark/db";
import type { HostKind, Scope } from "@rigmark/results";
import type { Ctx } from "../context";
import { DomainError } from "../error";
import { readableWorkspaces, requireScope } from "./access";
import { refuseDeleted } from "./deleted";

/** A thing that was named by its id alone, as the public API does. */
export interface Found {
  workspaceId: string;
  slug: string;
  id: string;
}
interface Row {
  workspace_id: string;
  slug: string;
  id: string;
}

const unknown = (what: string): string => `There is no such ${what}, or you do not belong to its workspace.`;

/** What the actor does not reach looks like what does not exist. */
async function find(ctx: Ctx, what: string, scope: Scope, statement: (ids: string[]) => Promise<Row | null>) {
  const ids = await readableWorkspaces(ctx);
  const row = await statement(ids);
  if (!row) throw new DomainError("not_found", unknown(what));
  requireScope(ctx.actor, scope);
  return { workspaceId: row.workspace_id, slug: row.slug, id: row.id };
}

/**
 * A file says its run's id, so whoever may publish somewhere else can use that of a run that was queued here: that one comes
 * first, then the older one. A deleted run comes last, and is refused.
 */
export const reachRun = (ctx: Ctx, runId: string, scope: Scope): Promise<Found> =>
  find(ctx, "run", scope, async (ids) => {
    const row = await one<Row & { deleted_at: Date | null }>(
      ctx.db,
      sql`SELECT s.workspace_id, s.slug, r.run_id AS id, r.deleted_at FROM run r JOIN workspace_slug s USING (workspace_id)
          WHERE r.workspace_id = ANY(${ids}::uuid[]) AND r.run_id = ${runId}
          ORDER BY r.deleted_at IS NOT NULL, r.published_by IS NOT NULL, r.created_at LIMIT 1`,
    );
    refuseDeleted(ctx, row?.deleted_at ?? null, unknown("run"));
    return row;
  });

export const reachHost = (ctx: Ctx, hostId: string, scope: Scope): Promise<Found> =>
  find(ctx, "host", scope, (ids) =>
    one<Row>(
      ctx.db,
      sql`SELECT s.workspace_id, s.slug, h.host_id AS id FROM host h JOIN workspace_slug s USING (workspace_id)
          WHERE h.workspace_id = ANY(${ids}::uuid[]) AND h.host_id = ${hostId} AND h.revoked_at IS NULL`,
    ),
  );

export const reachReport = (ctx: Ctx, slug: string, scope: Scope): Promise<Found> =>
  find(ctx, "report", scope, (ids) =>
    one<Row>(
      ctx.db,
      sql`SELECT s.workspace_id, s.slug, p.report_id AS id FROM report_slug p JOIN workspace_slug s USING (workspace_id)
          WHERE p.workspace_id = ANY(${ids}::uuid[]) AND p.slug = ${slug}`,
    ),
  );

/** The host of a workspace that is meant by an id or by an exact name. */
export async function hostNamed(
  ctx: Ctx,
  workspaceId: string,
  host: string,
  kind: HostKind | null = null,
): Promise<string> {
  const named: Prisma.HostWhereInput = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(host)
    ? { host_id: host }
    : { name: host };
  const [first, second] = await ctx.db.prisma.host.findMany({
    where: { ...named, workspace_id: workspaceId, revoked_at: null, ...(kind && { kind }) },
    select: { host_id: true },
    take: 2,
  });
  if (!first) throw new DomainError("not_found", `There is no host “${host}” in this workspace.`);
  if (second)
    throw new DomainError("invalid", `Two hosts are called “${host}”; give the id of the one that you mean.`);
  return first.host_id;
}
