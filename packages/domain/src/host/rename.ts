import type { HostSummary } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { audit } from "../internal/audit";
import { findHost, hostSummary } from "../internal/host/summary";
import { printable, storable } from "../internal/text";

export async function renameHost({
  ctx,
  input,
}: Call<{ workspace: string; hostId: string; name: string }>): Promise<HostSummary> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageHosts");
  if (printable(input.name) === "")
    throw new DomainError("invalid", "This name would be invisible; give the host one that can be read.");
  await ctx.db.prisma.host.updateMany({
    where: { workspace_id: workspaceId, host_id: input.hostId },
    data: { name: storable(input.name) },
  });
  const host = await findHost(ctx, workspaceId, input.hostId);
  await audit(ctx.db, ctx, { workspaceId, what: "host-renamed", subject: input.name });
  return hostSummary(host, ctx.now());
}
