import type { HostSummary } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { findHosts, hostSummary } from "../internal/host/summary";

export async function listHosts({ ctx, input }: Call<{ workspace: string }>): Promise<HostSummary[]> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const rows = await findHosts(ctx, workspaceId);
  const hosts = rows.map((row) => hostSummary(row, ctx.now()));
  // Machines that are known from files only come after those that take runs.
  const last = (host: HostSummary) => (host.status === "published" ? 1 : 0);
  return hosts.sort((a, b) => last(a) - last(b));
}
