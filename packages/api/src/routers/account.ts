import { deleteAccount, endSessions, exportAccount, getAccount, listSessions } from "@rigmark/domain";
import { AccountExport, AccountView, Nothing, SessionId, SessionList } from "@rigmark/results";
import { z } from "zod";
import { procedure, router } from "../trpc";

export const account = router({
  me: procedure
    .output(AccountView)
    .query(({ ctx: { ctx, providers, image } }) => getAccount({ ctx, input: { providers, image } })),
  sessions: procedure.output(SessionList).query(({ ctx: { ctx } }) => listSessions({ ctx })),
  /** Null: all but the one that asks. */
  endSessions: procedure
    .input(z.object({ sessionId: SessionId.nullable() }))
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => endSessions({ ctx, input })),
  export: procedure.output(AccountExport).query(({ ctx: { ctx } }) => exportAccount({ ctx })),
  /** `email`: typed again, so that nobody does it by mistake. */
  delete: procedure
    .input(z.object({ email: z.string().max(300) }))
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => deleteAccount({ ctx, input })),
});
