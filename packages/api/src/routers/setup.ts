import { setup as verbs } from "@rigmark/domain";
import { SetupClaimed, SetupStatus } from "@rigmark/domain/views";
import { z } from "zod";
import { procedure, router } from "../trpc";

export const setup = router({
  status: procedure.output(SetupStatus).query(({ ctx: { ctx } }) => verbs.status({ ctx })),
  claim: procedure
    .input(z.object({ token: z.string().max(200) }))
    .output(SetupClaimed)
    .mutation(({ ctx: { ctx }, input }) => verbs.claim({ ctx, input })),
});
