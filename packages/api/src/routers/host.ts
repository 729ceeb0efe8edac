import {
  createEnrollment,
  getEnrollment,
  getHost,
  listHosts,
  renameHost,
  revokeHost,
  watchEnrollment,
} from "@rigmark/domain";
import { EnrollmentCreated, EnrollmentStatus, HostSummary, HostView } from "@rigmark/results";
import { z } from "zod";
import { InWorkspace, OfEnrollment, OfHost } from "../input";
import { procedure, router, streamed } from "../trpc";

const HostName = z.string().trim().min(1).max(80);

export const host = router({
  list: procedure
    .input(InWorkspace)
    .output(z.array(HostSummary))
    .query(({ ctx: { ctx }, input }) => listHosts({ ctx, input })),
  get: procedure
    .input(OfHost)
    .output(HostView)
    .query(({ ctx: { ctx }, input }) => getHost({ ctx, input })),
  createEnrollment: procedure
    .input(InWorkspace.extend({ name: HostName.optional() }))
    .output(EnrollmentCreated)
    .mutation(({ ctx: { ctx }, input }) => createEnrollment({ ctx, input })),
  enrollmentStatus: procedure
    .input(OfEnrollment)
    .output(EnrollmentStatus)
    .query(({ ctx: { ctx }, input }) => getEnrollment({ ctx, input })),
  /** Yields an EnrollmentStatus at once and at each change; ends when it is used or expired. */
  watchEnrollment: procedure.input(OfEnrollment).subscription(async function* ({
    ctx: { ctx },
    input,
    signal,
  }): AsyncGenerator<EnrollmentStatus> {
    yield* streamed(watchEnrollment({ ctx: { ...ctx, ...(signal ? { signal } : {}) }, input }));
  }),
  rename: procedure
    .input(OfHost.extend({ name: HostName }))
    .output(HostSummary)
    .mutation(({ ctx: { ctx }, input }) => renameHost({ ctx, input })),
  revoke: procedure
    .input(OfHost)
    .output(HostSummary)
    .mutation(({ ctx: { ctx }, input }) => revokeHost({ ctx, input })),
});
