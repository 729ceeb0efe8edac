import { setup as verbs } from "@rigmark/domain";
import { FirstReport, SetupClaimed, SetupStatus } from "@rigmark/domain/views";
import { z } from "zod";
import { procedure, router } from "../trpc";

export const setup = router({
  status: procedure
    .input(z.object({ token: z.string().max(200) }).optional())
    .output(SetupStatus)
    .query(({ ctx: { ctx }, input }) => verbs.status({ ctx, input: { token: input?.token } })),
  firstReport: procedure
    .output(FirstReport.nullable())
    .query(({ ctx: { ctx } }) => verbs.firstReport({ ctx })),
  claim: procedure
    .input(z.object({ token: z.string().max(200) }))
    .output(SetupClaimed)
    .mutation(({ ctx: { ctx }, input }) => verbs.claim({ ctx, input })),
});
