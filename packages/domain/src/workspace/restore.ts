import { one, sql } from "@rigmark/db";
import type { WorkspaceView } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { requirePerson } from "../internal/access";
import { audit } from "../internal/audit";
import { oldestKept } from "../internal/deleted";
import { getWorkspace } from "./get";

/** Brings a deleted workspace back as it was, but for the runs that were not over. Only its owners find it. */
export async function restoreWorkspace({
  ctx,
  input,
}: Call<{ workspaceId: string }>): Promise<WorkspaceView> {
  const { userId } = requirePerson(ctx);
  const row = await one<{ slug: string }>(
    ctx.db,
    sql`UPDATE workspace w SET deleted_at = NULL FROM workspace_slug s, member m
        WHERE w.workspace_id = ${input.workspaceId} AND s.workspace_id = w.workspace_id
          AND m.workspace_id = w.workspace_id AND m.user_id = ${userId} AND m.role = 'owner'
          AND w.deleted_at > ${oldestKept(ctx.now())}
        RETURNING s.slug`,
  );
  if (!row)
    throw new DomainError("not_found", "You have no such deleted workspace that can still be restored.");
  await audit(ctx.db, ctx, { workspaceId: input.workspaceId, what: "workspace-restored" });
  return getWorkspace({ ctx, input: { workspace: row.slug } });
}
