import { createToken, listTokens, revokeToken } from "@rigmark/domain";
import { Id } from "@rigmark/protocol";
import {
  Nothing,
  TokenCreated,
  TokenDays,
  TokenList,
  TokenName,
  TokenScopes,
  WorkspaceSlug,
} from "@rigmark/results";
import { z } from "zod";
import { procedure, router } from "../trpc";

/** Null: the person's own. */
const Whose = z.object({ workspace: WorkspaceSlug.nullable() });

export const token = router({
  list: procedure
    .input(Whose)
    .output(TokenList)
    .query(({ ctx: { ctx }, input }) => listTokens({ ctx, input })),
  create: procedure
    .input(Whose.extend({ name: TokenName, scopes: TokenScopes, days: TokenDays }))
    .output(TokenCreated)
    .mutation(({ ctx: { ctx }, input }) => createToken({ ctx, input })),
  revoke: procedure
    .input(Whose.extend({ tokenId: Id }))
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => revokeToken({ ctx, input })),
});
