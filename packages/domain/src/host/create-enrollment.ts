import type { EnrollmentCreated } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { audit } from "../internal/audit";
import { issueKey } from "../internal/host/issue-key";
import { iso } from "../internal/moment";
import { requireHostRoom } from "../internal/quota";
import { enrollCommands } from "./internal/commands";

export async function createEnrollment({
  ctx,
  input,
}: Call<{ workspace: string; name?: string | undefined }>): Promise<EnrollmentCreated> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageHosts");
  await ctx.db.tx((tx) => requireHostRoom(tx, ctx, workspaceId));
  const { enrollmentId, key, expiresAt } = await issueKey(ctx, workspaceId, input.name ?? null);
  await audit(ctx.db, ctx, { workspaceId, what: "host-key-created", subject: input.name ?? "" });
  return {
    enrollment_id: enrollmentId,
    key,
    expires_at: iso(expiresAt),
    ...enrollCommands(ctx.config.publicUrl, key),
  };
}
