import { Nothing, ReportCreated, ReportList, ReportSlug, ReportView } from "@rigmark/domain/views";
import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { InWorkspace, OfRun } from "../input";
import { notBuilt, procedure, router } from "../trpc";

export const report = router({
  create: procedure
    .input(
      OfRun.extend({
        title: z.string().trim().max(120).optional(),
        showHostName: z.boolean().default(false),
      }),
    )
    .output(ReportCreated)
    .mutation(notBuilt),
  list: procedure.input(InWorkspace).output(ReportList).query(notBuilt),
  revoke: procedure
    .input(InWorkspace.extend({ reportId: Id }))
    .output(Nothing)
    .mutation(notBuilt),
  /** Public. NOT_FOUND for unknown and for revoked slugs alike; the message says that it is gone. */
  bySlug: procedure
    .input(z.object({ slug: ReportSlug.or(z.string().max(200)) }))
    .output(ReportView)
    .query(notBuilt),
});
