import type { Call } from "../context";
import { issueKey } from "../host/issue-key";
import { enterWorkspace, requireSystem } from "../workspace/access";

/** A key for the agent of this machine. */
export async function enrollLocalHost({
  ctx,
  input,
}: Call<{ workspace: string; name?: string }>): Promise<{ enrollment_id: string; key: string }> {
  requireSystem(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace);
  const { enrollmentId, key } = await issueKey(ctx, workspaceId, input.name ?? null);
  return { enrollment_id: enrollmentId, key };
}
