import { EnrollmentCreated, EnrollmentStatus, HostSummary, HostView } from "@rigmark/domain/views";
import { z } from "zod";
import { InWorkspace, OfEnrollment, OfHost } from "../input";
import { notBuilt, notBuiltStream, procedure, router } from "../trpc";

const HostName = z.string().trim().min(1).max(80);

export const host = router({
  list: procedure.input(InWorkspace).output(z.array(HostSummary)).query(notBuilt),
  get: procedure.input(OfHost).output(HostView).query(notBuilt),
  createEnrollment: procedure
    .input(InWorkspace.extend({ name: HostName.optional() }))
    .output(EnrollmentCreated)
    .mutation(notBuilt),
  enrollmentStatus: procedure.input(OfEnrollment).output(EnrollmentStatus).query(notBuilt),
  /** Yields an EnrollmentStatus at once and at each change; ends when it is used or expired. */
  watchEnrollment: procedure
    .input(OfEnrollment)
    .subscription(async function* (): AsyncGenerator<EnrollmentStatus> {
      yield* notBuiltStream();
    }),
  rename: procedure
    .input(OfHost.extend({ name: HostName }))
    .output(HostSummary)
    .mutation(notBuilt),
  revoke: procedure.input(OfHost).output(HostSummary).mutation(notBuilt),
});
