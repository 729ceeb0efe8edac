import { claimHome, findFirstReport, getSetupStatus } from "@rigmark/domain";
import { FirstReport, SetupClaimed, SetupStatus } from "@rigmark/results";
import { z } from "zod";
import { procedure, router } from "../trpc";

export const setup = router({
  status: procedure
    .input(z.object({ token: z.string().max(200) }).optional())
    .output(SetupStatus)
    .query(({ ctx: { ctx }, input }) => getSetupStatus({ ctx, input: { token: input?.token } })),
  firstReport: procedure
    .input(z.object({ language: z.enum(["en", "zh"]) }).optional())
    .output(FirstReport.nullable())
    .query(({ ctx: { ctx }, input }) =>
      findFirstReport({ ctx, input: { language: input?.language ?? "en" } }),
    ),
  claim: procedure
    .input(z.object({ token: z.string().max(200) }))
    .output(SetupClaimed)
    .mutation(({ ctx: { ctx }, input }) => claimHome({ ctx, input })),
});
