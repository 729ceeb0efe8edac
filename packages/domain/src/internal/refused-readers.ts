import type { Actor, Ctx } from "../context";
import { DomainError } from "../error";
import { PRESENT, signedOut, UNKNOWN } from "./access";

/**
 * Of many who have entered a workspace to read, and look on for long: who may no longer, and why. Four statements at most,
 * however many they are. Each role may read, so that membership decides.
 */
export async function refusedReaders(
  ctx: Ctx,
  workspaceId: string,
  actors: readonly Actor[],
): Promise<Map<Actor, DomainError>> {
  const people = actors.filter((actor) => actor.kind === "user");
  const tokens = actors.flatMap((actor) => tokenOf(actor) ?? []);
  const { prisma } = ctx.db;
  const now = ctx.now();
  const [workspace, members, sessions, valid] = await Promise.all([
    prisma.workspace.findFirst({ where: { workspace_id: workspaceId, ...PRESENT } }),
    found(
      people.map((actor) => actor.userId),
      (userIds) =>
        prisma.member.findMany({
          where: { workspace_id: workspaceId, user_id: { in: userIds } },
          select: { user_id: true },
        }),
    ),
    found(
      people.flatMap((actor) => actor.sessionId ?? []),
      (ids) =>
        prisma.session.findMany({
          where: { id: { in: ids }, expiresAt: { gt: now } },
          select: { id: true, userId: true },
        }),
    ),
    found(
      tokens.map((token) => token.tokenId),
      (ids) =>
        prisma.token.findMany({
          where: {
            token_id: { in: ids },
            revoked_at: null,
            OR: [{ expires_at: null }, { expires_at: { gt: now } }],
          },
          select: { token_id: true },
        }),
    ),
  ]);
  const userIds = new Set(members.map((row) => row.user_id));
  const signedIn = new Set(sessions.map((row) => `${row.id} ${row.userId}`));
  const tokenIds = new Set(valid.map((row) => row.token_id));

  const refusal = (actor: Actor): DomainError | null => {
    const belongs = workspace && (actor.kind !== "user" || userIds.has(actor.userId));
    if (!belongs) return new DomainError("not_found", UNKNOWN);
    if (actor.kind === "user" && actor.sessionId && !signedIn.has(`${actor.sessionId} ${actor.userId}`))
      return signedOut();
    const token = tokenOf(actor);
    if (token && !tokenIds.has(token.tokenId))
      return new DomainError(
        "unauthenticated",
        `The token “${token.name}” was revoked or has expired; make another one.`,
      );
    return null;
  };
  const refused = new Map<Actor, DomainError>();
  for (const actor of actors) {
    const error = refusal(actor);
    if (error) refused.set(actor, error);
  }
  return refused;
}

const tokenOf = (actor: Actor) =>
  actor.kind === "user" || actor.kind === "workspace" ? (actor.token ?? null) : null;

/** Nothing is asked about nobody. */
async function found<T>(ids: string[], find: (ids: string[]) => Promise<T[]>): Promise<T[]> {
  return ids.length > 0 ? find([...new Set(ids)]) : [];
}
