import type { HostSummary } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { findHost, hostSummary } from "../internal/host/summary";
import { storable } from "../internal/text";

export async function renameHost({
  ctx,
  input,
}: Call<{ workspace: string; hostId: string; name: string }>): Promise<HostSummary> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageHosts");
  await ctx.db.prisma.host.updateMany({
    where: { workspace_id: workspaceId, host_id: input.hostId },
    data: { name: storable(input.name) },
  });
  return hostSummary(await findHost(ctx, workspaceId, input.hostId), ctx.now());
}
