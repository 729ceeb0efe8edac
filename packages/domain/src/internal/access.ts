import { Role } from "@rigmark/results";
import type { Ctx } from "../context";
import { DomainError } from "../error";

export interface Access {
  workspaceId: string;
  slug: string;
  role: Role;
}

const UNKNOWN = "There is no such workspace, or you do not belong to it.";

/**
 * Each verb on something that belongs to a workspace begins here, and only members get past it. Somebody else's
 * workspace looks like one that does not exist.
 */
export async function enterWorkspace(ctx: Ctx, slug: string, needs: Role = "member"): Promise<Access> {
  const { actor } = ctx;
  if (actor.kind === "system") {
    const row = await ctx.db.prisma.workspaceSlug.findUnique({ where: { slug } });
    if (!row) throw new DomainError("not_found", UNKNOWN);
    return { workspaceId: row.workspace_id, slug, role: "owner" };
  }
  if (actor.kind !== "user") throw new DomainError("unauthenticated", "Sign in first.");
  const row = await ctx.db.prisma.member.findFirst({
    where: { user_id: actor.userId, workspace: { slug: { slug } } },
  });
  if (!row) throw new DomainError("not_found", UNKNOWN);
  if (needs === "owner" && row.role !== "owner") {
    throw new DomainError("forbidden", "Only an owner of the workspace may do this; ask one of them.");
  }
  return { workspaceId: row.workspace_id, slug, role: Role.parse(row.role) };
}

/** For what goes on for long: checks membership again, and that the person is still signed in. */
export async function stayInWorkspace(ctx: Ctx, slug: string): Promise<void> {
  await enterWorkspace(ctx, slug);
  const { actor } = ctx;
  if (actor.kind !== "user" || actor.sessionId === undefined) return;
  const session = await ctx.db.prisma.session.findFirst({
    where: { id: actor.sessionId, userId: actor.userId, expiresAt: { gt: ctx.now() } },
  });
  if (!session) throw new DomainError("unauthenticated", "You signed out; sign in again to go on.");
}

/** The same check for an agent: its host, in its workspace, and nothing else. */
export function enterAsAgent(ctx: Ctx): { workspaceId: string; hostId: string } {
  if (ctx.actor.kind !== "agent") {
    throw new DomainError("unauthenticated", "Only agents may call this; open a session first.");
  }
  return ctx.actor;
}

export function requireSystem(ctx: Ctx): void {
  if (ctx.actor.kind !== "system") throw new DomainError("forbidden", "Only the launcher may do this.");
}

export async function slugOf(ctx: Ctx, workspaceId: string): Promise<string> {
  const row = await ctx.db.prisma.workspaceSlug.findUnique({ where: { workspace_id: workspaceId } });
  return row?.slug ?? "";
}
