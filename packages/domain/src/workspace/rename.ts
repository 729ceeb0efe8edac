import type { WorkspaceView } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace, requirePerson } from "../internal/access";
import { audit } from "../internal/audit";
import { nameOf } from "../internal/name";
import { storable } from "../internal/text";
import { getWorkspace } from "./get";

/** Changes what the workspace is called. Its address stays, so links keep working. */
export async function renameWorkspace({
  ctx,
  input,
}: Call<{ workspace: string; name: string }>): Promise<WorkspaceView> {
  requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "renameWorkspace");
  const name = nameOf(storable(input.name), "workspace");
  await ctx.db.prisma.workspace.update({ where: { workspace_id: workspaceId }, data: { name } });
  await audit(ctx.db, ctx, { workspaceId, what: "workspace-renamed", subject: name });
  return getWorkspace({ ctx, input: { workspace: input.workspace } });
}
