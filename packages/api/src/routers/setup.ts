import { SetupClaimed, SetupStatus } from "@rigmark/domain/views";
import { z } from "zod";
import { notBuilt, procedure, router } from "../trpc";

export const setup = router({
  status: procedure.output(SetupStatus).query(notBuilt),
  claim: procedure
    .input(z.object({ token: z.string().max(200) }))
    .output(SetupClaimed)
    .mutation(notBuilt),
});
