import type { Call } from "../context";
import { enterWorkspace, requireSystem } from "../internal/access";
import { issueKey } from "../internal/host/issue-key";

/** A key for the agent of this machine. */
export async function enrollLocalHost({
  ctx,
  input,
}: Call<{ workspace: string; name?: string }>): Promise<{ enrollment_id: string; key: string }> {
  requireSystem(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageHosts");
  const { enrollmentId, key } = await issueKey(ctx, workspaceId, input.name ?? null);
  return { enrollment_id: enrollmentId, key };
}
