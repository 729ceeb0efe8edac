import { sql } from "@rigmark/db";
import type { Scope, TokenCreated, TokenDays } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { audit } from "../internal/audit";
import { issueToken } from "../internal/issue-token";
import { readTokens } from "./internal/view";

interface Input {
  /** Null: the person's own, which works in all of the person's workspaces. */
  workspace: string | null;
  name: string;
  scopes: readonly Scope[];
  days: TokenDays;
}

/** A token of the person, or of a workspace, which its admins and owners make. */
export async function createToken({ ctx, input }: Call<Input>): Promise<TokenCreated> {
  const { userId } = requirePerson(ctx);
  const { workspace, ...rest } = input;
  const inside = workspace === null ? null : await enterWorkspace(ctx, workspace, "manageTokens");
  const owner = inside ? { userId: null, workspaceId: inside.workspaceId } : { userId, workspaceId: null };
  const { token, tokenId } = await ctx.db.tx(async (tx) => {
    const made = await issueToken(tx, { ...rest, ...owner, createdBy: userId }, ctx.now());
    const subject = `${input.name} (${input.scopes.join(", ")})`;
    if (inside) await audit(tx, ctx, { workspaceId: inside.workspaceId, what: "token-created", subject });
    return made;
  });
  const [view] = await readTokens(ctx, sql`t.token_id = ${tokenId}`);
  if (!view) throw new DomainError("internal", "The token was lost while it was made; make another one.");
  return { token, view };
}
