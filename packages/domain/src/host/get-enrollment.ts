import { type EnrollmentStatus, StepReport } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { findHost, hostSummary } from "../internal/host/summary";
import { iso } from "../internal/moment";

export async function getEnrollment({
  ctx,
  input,
}: Call<{ workspace: string; enrollmentId: string }>): Promise<EnrollmentStatus> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageHosts");
  const row = await ctx.db.prisma.enrollmentKey.findFirst({
    where: { workspace_id: workspaceId, enrollment_id: input.enrollmentId },
    include: { steps: { orderBy: [{ reported_at: "asc" }, { step: "asc" }] } },
  });
  if (!row)
    throw new DomainError("not_found", "There is no such enrollment in this workspace; make a new key.");
  const steps = row.steps.map((step) => StepReport.parse({ ...step, at: iso(step.reported_at) }));
  if (row.host_id) {
    const host = hostSummary(await findHost(ctx, workspaceId, row.host_id), ctx.now());
    return { status: "used", host, steps };
  }
  const expires_at = iso(row.expires_at);
  return { status: row.expires_at > ctx.now() ? "waiting" : "expired", expires_at, steps };
}
