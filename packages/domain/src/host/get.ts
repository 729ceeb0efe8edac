import type { HostView } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { readCatalogue } from "../internal/host/catalogue";
import { findHost, hostSummary } from "../internal/host/summary";
import { isoOrNull } from "../internal/moment";

export async function getHost({
  ctx,
  input,
}: Call<{ workspace: string; hostId: string }>): Promise<HostView> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const row = await findHost(ctx, workspaceId, input.hostId);
  return {
    ...hostSummary(row, ctx.now()),
    facts: row.facts,
    facts_at: isoOrNull(row.facts_at),
    catalogue: row.catalogue_at ? await readCatalogue(ctx, workspaceId, input.hostId) : null,
    catalogue_at: isoOrNull(row.catalogue_at),
  };
}
