import { run, sql } from "@rigmark/db";
import type { Call } from "../context";
import { storable } from "../text";
import { enterWorkspace } from "../workspace/access";
import { findHost, hostSummary } from "./summary";
import type { HostSummary } from "./view";

export async function rename({
  ctx,
  input,
}: Call<{ workspace: string; hostId: string; name: string }>): Promise<HostSummary> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace);
  await run(
    ctx.db,
    sql`UPDATE host SET name = ${storable(input.name)} WHERE workspace_id = ${workspaceId} AND host_id = ${input.hostId}`,
  );
  return hostSummary(await findHost(ctx, workspaceId, input.hostId), ctx.now());
}
