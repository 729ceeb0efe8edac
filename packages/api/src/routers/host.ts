import { host as verbs } from "@rigmark/domain";
import { EnrollmentCreated, EnrollmentStatus, HostSummary, HostView } from "@rigmark/domain/views";
import { z } from "zod";
import { InWorkspace, OfEnrollment, OfHost } from "../input";
import { procedure, router, streamed } from "../trpc";

const HostName = z.string().trim().min(1).max(80);

export const host = router({
  list: procedure
    .input(InWorkspace)
    .output(z.array(HostSummary))
    .query(({ ctx: { ctx }, input }) => verbs.list({ ctx, input })),
  get: procedure
    .input(OfHost)
    .output(HostView)
    .query(({ ctx: { ctx }, input }) => verbs.get({ ctx, input })),
  createEnrollment: procedure
    .input(InWorkspace.extend({ name: HostName.optional() }))
    .output(EnrollmentCreated)
    .mutation(({ ctx: { ctx }, input }) => verbs.createEnrollment({ ctx, input })),
  enrollmentStatus: procedure
    .input(OfEnrollment)
    .output(EnrollmentStatus)
    .query(({ ctx: { ctx }, input }) => verbs.enrollmentStatus({ ctx, input })),
  /** Yields an EnrollmentStatus at once and at each change; ends when it is used or expired. */
  watchEnrollment: procedure.input(OfEnrollment).subscription(async function* ({
    ctx: { ctx },
    input,
    signal,
  }): AsyncGenerator<EnrollmentStatus> {
    yield* streamed(verbs.watchEnrollment({ ctx: { ...ctx, ...(signal ? { signal } : {}) }, input }));
  }),
  rename: procedure
    .input(OfHost.extend({ name: HostName }))
    .output(HostSummary)
    .mutation(({ ctx: { ctx }, input }) => verbs.rename({ ctx, input })),
  revoke: procedure
    .input(OfHost)
    .output(HostSummary)
    .mutation(({ ctx: { ctx }, input }) => verbs.revoke({ ctx, input })),
});
