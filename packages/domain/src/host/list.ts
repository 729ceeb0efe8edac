import type { HostSummary } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { findHosts, hostSummary } from "../internal/host/summary";

export async function listHosts({ ctx, input }: Call<{ workspace: string }>): Promise<HostSummary[]> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, { scope: "read" });
  const rows = await findHosts(ctx, workspaceId);
  return rows.map((row) => hostSummary(row, ctx.now()));
}
