import { Role, type WorkspaceView } from "@rigmark/results";
import type { Call, Ctx } from "../context";
import { PRESENT, requireScope, roleOfToken, signInFirst } from "../internal/access";
import { actionsOf } from "../internal/may";
import { iso } from "../internal/moment";

const NOT_REVOKED = { where: { revoked_at: null } };
const NOT_DELETED = { where: { deleted_at: null } };
const WITH_COUNTS = {
  slug: true,
  _count: { select: { hosts: NOT_REVOKED, runs: NOT_DELETED, reports: NOT_REVOKED } },
} as const;

interface Row {
  workspace_id: string;
  name: string;
  created_at: Date;
  slug: { slug: string } | null;
  _count: { hosts: number; runs: number; reports: number };
}

const viewOf = ({ workspace_id, slug, name, created_at, _count }: Row, role: Role): WorkspaceView => ({
  workspace_id,
  slug: slug?.slug ?? "",
  name,
  role,
  may: actionsOf(role),
  created_at: iso(created_at),
  ..._count,
});

/** The workspaces that the person belongs to, the oldest membership first; of a token those that it works in. */
export async function listWorkspaces({ ctx, input }: Call<{ slug?: string }>): Promise<WorkspaceView[]> {
  const { actor } = ctx;
  requireScope(actor, "read");
  if (actor.kind === "workspace") return ofWorkspaceToken(ctx, actor, input.slug);
  if (actor.kind !== "user") throw signInFirst();
  const only = actor.token?.workspaceId ?? null;
  const memberships = await ctx.db.prisma.member.findMany({
    where: {
      user_id: actor.userId,
      ...(only !== null && { workspace_id: only }),
      workspace: { ...PRESENT, ...(input.slug && { slug: { slug: input.slug } }) },
    },
    include: { workspace: { include: WITH_COUNTS } },
    orderBy: [{ created_at: "asc" }, { workspace: { slug: { slug: "asc" } } }],
  });
  return memberships.map(({ role, workspace }) => viewOf(workspace, Role.parse(role)));
}

async function ofWorkspaceToken(
  ctx: Ctx,
  actor: Extract<Ctx["actor"], { kind: "workspace" }>,
  slug: string | undefined,
): Promise<WorkspaceView[]> {
  const row = await ctx.db.prisma.workspace.findFirst({
    where: { workspace_id: actor.workspaceId, ...PRESENT },
    include: WITH_COUNTS,
  });
  if (!row || (slug && row.slug?.slug !== slug)) return [];
  return [viewOf(row, roleOfToken(actor.token.scopes))];
}
