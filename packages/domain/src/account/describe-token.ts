import type { Me } from "@rigmark/results/public";
import type { Ctx } from "../context";
import { DomainError } from "../error";
import { isoOrNull } from "../internal/moment";
import { listWorkspaces } from "../workspace/list";

/** Whose token this is, what it may do, and where. */
export async function describeToken({ ctx }: { ctx: Ctx }): Promise<Me> {
  const { actor } = ctx;
  if ((actor.kind !== "user" && actor.kind !== "workspace") || !actor.token)
    throw new DomainError("unauthenticated", "This request has no token.");
  const { tokenId, name, scopes, expiresAt } = actor.token;
  const workspaces = await listWorkspaces({ ctx, input: {} });
  return {
    token: { id: tokenId, name, scopes: [...scopes], expires_at: isoOrNull(expiresAt) },
    person: actor.kind === "user" ? { name: actor.name, email: actor.email } : null,
    workspaces: workspaces.map((w) => ({ slug: w.slug, name: w.name })),
  };
}
