import { sql } from "@rigmark/db";
import type { TokenList } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace, requirePerson } from "../internal/access";
import { may } from "../internal/may";
import { readTokens } from "./internal/view";

/** The person's own tokens, or those of a workspace, which every member sees. */
export async function listTokens({ ctx, input }: Call<{ workspace: string | null }>): Promise<TokenList> {
  const { userId } = requirePerson(ctx);
  if (input.workspace === null)
    return { tokens: await readTokens(ctx, sql`t.user_id = ${userId}`), may_change: true };
  const { workspaceId, role } = await enterWorkspace(ctx, input.workspace, "read");
  return {
    tokens: await readTokens(ctx, sql`t.workspace_id = ${workspaceId} AND t.user_id IS NULL`),
    may_change: may(role, "manageTokens"),
  };
}
