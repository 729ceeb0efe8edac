import { all, sql } from "@rigmark/db";
import type { RunState } from "@rigmark/protocol";
import type { Ctx } from "../../../context";
import { topics } from "../../../internal/bus";
import { transition } from "../transition";

const STOPPED = {
  code: "publication-stopped",
  message: "The upload of the file did not finish; publish it again to continue where it stopped.",
};

/** Publications that nothing was added to for long are incomplete, until somebody goes on with them. Returns how many. */
export async function giveUpPublications(ctx: Ctx): Promise<number> {
  const now = ctx.now();
  const rows = await all<{
    workspace_id: string;
    run_id: string;
    attempt_no: number;
    state: RunState;
    error_code: string | null;
  }>(
    ctx.db,
    sql`SELECT r.workspace_id, r.run_id, r.attempt_no, r.state, r.error_code
        FROM run r JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        WHERE r.state IN ('uploading', 'cancelling') AND r.finished_at IS NULL AND r.published_by IS NOT NULL AND a.lease_expires_at < ${now}`,
  );
  let changed = 0;
  for (const row of rows) {
    const did = await transition(
      ctx.db,
      { workspaceId: row.workspace_id, runId: row.run_id },
      row.state === "cancelling"
        ? { to: "cancelled", from: ["cancelling"], attemptNo: row.attempt_no, now }
        : // Where a part of it was refused, that stays to be read.
          {
            to: "incomplete",
            from: ["uploading"],
            attemptNo: row.attempt_no,
            now,
            ...(row.error_code ? {} : { error: STOPPED }),
          },
    );
    if (!did) continue;
    changed += 1;
    ctx.bus.hint(topics.run(row.run_id));
  }
  return changed;
}
