import { type Action, hasScope, Role, type Scope } from "@rigmark/results";
import type { Actor, Ctx } from "../context";
import { DomainError } from "../error";
import { MAY, may, refusalFor } from "./may";

export interface Access {
  workspaceId: string;
  slug: string;
  role: Role;
}

/** A deleted workspace looks like one that does not exist, also to its members. */
export const PRESENT = { deleted_at: null };
export const UNKNOWN = "There is no such workspace, or you do not belong to it.";

export const signInFirst = (): DomainError => new DomainError("unauthenticated", "Sign in first.");
/** Of a session that is over. */
export const signedOut = (): DomainError =>
  new DomainError("unauthenticated", "You are signed out; sign in again.");

/**
 * Each verb that names a workspace begins here (by an id alone: `reach.ts`). Members, the workspace's own tokens and the system
 * get past it, if they may do what it does (`may.ts`). Somebody else's workspace looks like one that does not exist.
 */
export async function enterWorkspace(ctx: Ctx, slug: string, action: Action): Promise<Access> {
  const { actor } = ctx;
  if (actor.kind === "system") return { ...(await anyWorkspace(ctx, slug)), role: "owner" };
  const access = await memberOf(ctx, slug);
  requireScope(actor, MAY[action].scope);
  if (!may(access.role, action)) throw new DomainError("forbidden", refusalFor(action));
  return access;
}

async function anyWorkspace(ctx: Ctx, slug: string): Promise<Omit<Access, "role">> {
  const row = await ctx.db.prisma.workspaceSlug.findFirst({ where: { slug, workspace: PRESENT } });
  if (!row) throw new DomainError("not_found", UNKNOWN);
  return { workspaceId: row.workspace_id, slug };
}

async function memberOf(ctx: Ctx, slug: string): Promise<Access> {
  const { actor } = ctx;
  if (actor.kind === "workspace") {
    const found = await anyWorkspace(ctx, slug);
    if (found.workspaceId !== actor.workspaceId) throw new DomainError("not_found", UNKNOWN);
    return { ...found, role: roleOfToken(actor.token.scopes) };
  }
  if (actor.kind !== "user") throw signInFirst();
  const row = await ctx.db.prisma.member.findFirst({
    where: { user_id: actor.userId, workspace: { slug: { slug }, ...PRESENT } },
  });
  const only = actor.token?.workspaceId ?? null;
  if (!row || (only !== null && row.workspace_id !== only)) throw new DomainError("not_found", UNKNOWN);
  return { workspaceId: row.workspace_id, slug, role: Role.parse(row.role) };
}

/** A workspace's token is no owner, whoever made it: its scopes say the rest. */
export const roleOfToken = (scopes: readonly Scope[]): Role =>
  hasScope(scopes, "admin") ? "admin" : "member";

/** A person who signed in may what the person may; a token may what its scopes say, and no more. */
export function requireScope(actor: Actor, scope: Scope): void {
  if ((actor.kind !== "user" && actor.kind !== "workspace") || !actor.token) return;
  if (hasScope(actor.token.scopes, scope)) return;
  throw new DomainError(
    "forbidden",
    `This token lacks the scope \`${scope}\`; it has ${actor.token.scopes.join(", ")}. Make a token that has it.`,
  );
}

/** The workspaces that the actor may read, by id. */
export async function readableWorkspaces(ctx: Ctx): Promise<string[]> {
  const { actor } = ctx;
  if (actor.kind === "workspace") {
    const present = await ctx.db.prisma.workspace.findMany({
      where: { workspace_id: actor.workspaceId, ...PRESENT },
      select: { workspace_id: true },
    });
    return present.map((row) => row.workspace_id);
  }
  if (actor.kind !== "user") throw signInFirst();
  const only = actor.token?.workspaceId ?? null;
  const rows = await ctx.db.prisma.member.findMany({
    where: { user_id: actor.userId, workspace: PRESENT, ...(only === null ? {} : { workspace_id: only }) },
    select: { workspace_id: true },
  });
  return rows.map((row) => row.workspace_id);
}

/** A person at a browser: no token may make tokens, or act for the account itself. */
export function requirePerson(ctx: Ctx): Extract<Actor, { kind: "user" }> {
  const { actor } = ctx;
  if (actor.kind === "workspace" || (actor.kind === "user" && actor.token))
    throw new DomainError("forbidden", "Tokens cannot do this; sign in with a browser.");
  if (actor.kind !== "user") throw signInFirst();
  return actor;
}

/** For what goes on for long (`watchRun` asks for all its readers at once instead): checks membership again, and that the person is still signed in. */
export async function stayInWorkspace(ctx: Ctx, slug: string, action: Action): Promise<void> {
  await enterWorkspace(ctx, slug, action);
  const { actor } = ctx;
  if (actor.kind !== "user" || actor.sessionId === undefined) return;
  const session = await ctx.db.prisma.session.findFirst({
    where: { id: actor.sessionId, userId: actor.userId, expiresAt: { gt: ctx.now() } },
  });
  if (!session) throw signedOut();
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
