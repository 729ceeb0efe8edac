import { Role, type WorkspaceView } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { iso } from "../internal/moment";

const NOT_REVOKED = { where: { revoked_at: null } };

/** The workspaces that the person belongs to, the oldest membership first. */
export async function listWorkspaces({ ctx, input }: Call<{ slug?: string }>): Promise<WorkspaceView[]> {
  if (ctx.actor.kind !== "user") throw new DomainError("unauthenticated", "Sign in first.");
  const memberships = await ctx.db.prisma.member.findMany({
    where: { user_id: ctx.actor.userId, ...(input.slug && { workspace: { slug: { slug: input.slug } } }) },
    include: {
      workspace: {
        include: {
          slug: true,
          _count: { select: { hosts: NOT_REVOKED, runs: true, reports: NOT_REVOKED } },
        },
      },
    },
    orderBy: [{ created_at: "asc" }, { workspace: { slug: { slug: "asc" } } }],
  });
  return memberships.map(({ role, workspace: { workspace_id, slug, name, created_at, _count } }) => ({
    workspace_id,
    slug: slug?.slug ?? "",
    name,
    role: Role.parse(role),
    created_at: iso(created_at),
    ..._count,
  }));
}
