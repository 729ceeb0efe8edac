import { RUN_RANGES } from "@rigmark/protocol";
import type { RunOptions } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { readCatalogue } from "../internal/host/catalogue";
import { findHost, hostSummary } from "../internal/host/summary";

/** What can be chosen for a run on this host, and why the rest cannot. */
export async function getRunOptions({
  ctx,
  input,
}: Call<{ workspace: string; hostId: string }>): Promise<RunOptions> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const host = await findHost(ctx, workspaceId, input.hostId);
  return {
    host: hostSummary(host, ctx.now()),
    ...(await readCatalogue(ctx, workspaceId, input.hostId)),
    tune: host.facts?.tune ?? null,
    ranges: RUN_RANGES,
  };
}
