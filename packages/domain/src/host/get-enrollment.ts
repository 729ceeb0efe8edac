import type { EnrollmentStatus } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { findHost, hostSummary } from "../internal/host/summary";
import { iso } from "../internal/moment";

export async function getEnrollment({
  ctx,
  input,
}: Call<{ workspace: string; enrollmentId: string }>): Promise<EnrollmentStatus> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace);
  const row = await ctx.db.prisma.enrollmentKey.findFirst({
    where: { workspace_id: workspaceId, enrollment_id: input.enrollmentId },
  });
  if (!row)
    throw new DomainError("not_found", "There is no such enrollment in this workspace; make a new key.");
  if (row.host_id) {
    return { status: "used", host: hostSummary(await findHost(ctx, workspaceId, row.host_id), ctx.now()) };
  }
  const expires_at = iso(row.expires_at);
  return row.expires_at > ctx.now() ? { status: "waiting", expires_at } : { status: "expired", expires_at };
}
