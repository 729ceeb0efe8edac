import { listAudit } from "@rigmark/domain";
import { AuditPage } from "@rigmark/results";
import { z } from "zod";
import { InWorkspace } from "../input";
import { procedure, router } from "../trpc";

/** Who did what in a workspace. */
export const audit = router({
  list: procedure
    .input(InWorkspace.extend({ cursor: z.string().max(200).nullish() }))
    .output(AuditPage)
    .query(({ ctx: { ctx }, input }) => listAudit({ ctx, input })),
});
