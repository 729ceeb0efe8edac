import { all, sql } from "@rigmark/db";
import type { InstallStep, InstallStepState } from "@rigmark/protocol";
import type { EnrollmentStatus, StepReport } from "@rigmark/results";
import type { Call, Ctx } from "../context";
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
  const steps = await stepsOf(ctx, workspaceId, input.enrollmentId);
  if (row.host_id) {
    const host = hostSummary(await findHost(ctx, workspaceId, row.host_id), ctx.now());
    return { status: "used", host, steps };
  }
  const expires_at = iso(row.expires_at);
  return { status: row.expires_at > ctx.now() ? "waiting" : "expired", expires_at, steps };
}

async function stepsOf(ctx: Ctx, workspaceId: string, enrollmentId: string): Promise<StepReport[]> {
  const rows = await all<{ step: InstallStep; state: InstallStepState; text: string; reported_at: Date }>(
    ctx.db,
    sql`SELECT step, state, text, reported_at FROM enrollment_step
        WHERE workspace_id = ${workspaceId} AND enrollment_id = ${enrollmentId} ORDER BY reported_at, step`,
  );
  return rows.map(({ reported_at, ...row }) => ({ ...row, at: iso(reported_at) }));
}
