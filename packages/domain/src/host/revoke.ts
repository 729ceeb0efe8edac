import { all, run, sql } from "@rigmark/db";
import type { HostSummary } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { audit } from "../internal/audit";
import { topics } from "../internal/bus";
import { findHost, hostSummary } from "../internal/host/summary";

/** The host's agent is shut out at its next request; what it measured stays. Its unfinished runs are cancelled. */
export async function revokeHost({
  ctx,
  input,
}: Call<{ workspace: string; hostId: string }>): Promise<HostSummary> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "manageHosts");
  const { name } = await findHost(ctx, workspaceId, input.hostId);
  const now = ctx.now();
  const runs = await ctx.db.tx(async (tx) => {
    await run(
      tx,
      sql`UPDATE host SET revoked_at = coalesce(revoked_at, ${now})
          WHERE workspace_id = ${workspaceId} AND host_id = ${input.hostId}`,
    );
    await run(
      tx,
      sql`UPDATE attempt SET live = false WHERE workspace_id = ${workspaceId} AND host_id = ${input.hostId} AND live`,
    );
    await audit(tx, ctx, { workspaceId, what: "host-revoked", subject: name });
    return all<{ run_id: string }>(
      tx,
      sql`UPDATE run SET state = 'cancelled', finished_at = ${now}, revision = revision + 1,
            error_code = 'host-revoked', error_message = 'The host was removed from the workspace; queue the run on another one.'
          WHERE workspace_id = ${workspaceId} AND finished_at IS NULL
            AND run_id IN (SELECT run_id FROM run_host WHERE workspace_id = ${workspaceId} AND host_id = ${input.hostId})
          RETURNING run_id`,
    );
  });
  for (const { run_id } of runs) ctx.bus.hint(topics.run(run_id));
  ctx.bus.hint(topics.host(input.hostId));
  return hostSummary(await findHost(ctx, workspaceId, input.hostId), ctx.now());
}
