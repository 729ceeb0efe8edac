import { one, sql } from "@rigmark/db";
import type { RunState } from "@rigmark/protocol";
import { topics } from "../bus";
import type { Call } from "../context";
import { enterWorkspace } from "../workspace/access";
import { findRun } from "./find";
import type { RunCancelled } from "./view";

/** A queued run is cancelled at once, a live one with its agent's next heartbeat. One that is over stays as it is. */
export async function cancel({
  ctx,
  input,
}: Call<{ workspace: string; runId: string }>): Promise<RunCancelled> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace);
  const now = ctx.now();
  const changed = await one<{ state: RunState }>(
    ctx.db,
    sql`UPDATE run SET revision = revision + 1, cancel_requested_at = ${now}, cancel_reason = 'person',
          state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE 'cancelling' END,
          finished_at = CASE WHEN state = 'queued' THEN ${now}::timestamptz END
        WHERE workspace_id = ${workspaceId} AND run_id = ${input.runId}
          AND state IN ('queued', 'leased', 'preparing', 'measuring', 'uploading') RETURNING state`,
  );
  if (changed) ctx.bus.hint(topics.run(input.runId));
  return { state: changed?.state ?? (await findRun(ctx, workspaceId, input.runId)).state };
}
