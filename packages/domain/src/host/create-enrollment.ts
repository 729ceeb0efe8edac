import type { EnrollmentCreated } from "@rigmark/results";
import type { Call } from "../context";
import { iso } from "../moment";
import { enterWorkspace } from "../workspace/access";
import { enrollCommands } from "./commands";
import { issueKey } from "./issue-key";

export async function createEnrollment({
  ctx,
  input,
}: Call<{ workspace: string; name?: string | undefined }>): Promise<EnrollmentCreated> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace);
  const { enrollmentId, key, expiresAt } = await issueKey(ctx, workspaceId, input.name ?? null);
  return {
    enrollment_id: enrollmentId,
    key,
    expires_at: iso(expiresAt),
    ...enrollCommands(ctx.config.publicUrl, key),
  };
}
