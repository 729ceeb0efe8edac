import type { Nothing } from "@rigmark/results";
import type { Ctx } from "../context";
import { DomainError } from "../error";

/** The token that asks ends itself: what `rigmark logout` does. */
export async function revokeOwnToken({ ctx }: { ctx: Ctx }): Promise<Nothing> {
  const { actor } = ctx;
  const token = actor.kind === "user" || actor.kind === "workspace" ? actor.token : undefined;
  if (!token) throw new DomainError("unauthenticated", "Only a token can revoke itself.");
  await ctx.db.prisma.token.updateMany({
    where: { token_id: token.tokenId, revoked_at: null },
    data: { revoked_at: ctx.now() },
  });
  return { ok: true };
}
