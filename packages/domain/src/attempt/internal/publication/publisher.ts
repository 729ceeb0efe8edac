import type { Ctx } from "../../../context";
import { DomainError } from "../../../error";
import { enterWorkspace } from "../../../internal/access";
import { printable } from "../../../internal/text";

export interface Publisher {
  workspaceId: string;
  slug: string;
  /** As the run's page names them. */
  name: string;
  userId: string | null;
}

/** Members of the workspace, and what they gave a token to. */
export async function enterAsPublisher(ctx: Ctx, workspace: string): Promise<Publisher> {
  const { workspaceId, slug } = await enterWorkspace(ctx, workspace, "publish");
  const { actor } = ctx;
  if (actor.kind === "workspace")
    return { workspaceId, slug, name: `the token ${printable(actor.token.name)}`, userId: null };
  if (actor.kind !== "user") throw new DomainError("forbidden", "Only people and tokens publish runs.");
  return { workspaceId, slug, name: printable(actor.name) || "a member", userId: actor.userId };
}
