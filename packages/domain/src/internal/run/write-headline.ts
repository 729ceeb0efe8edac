import { run, sql } from "@rigmark/db";
import type { Ctx } from "../../context";
import { storable } from "../text";
import { findAnyRun } from "./find";
import { loadAttempt } from "./load";
import { storeResults } from "./store-results";
import { summarize } from "./summarize";

/**
 * Keeps with a finished run what others read of it without summing it up: the verdict sentence, for lists, and each
 * entry's results. A summary that cannot be made must not undo a finished run.
 */
export async function writeHeadline(ctx: Ctx, at: { workspaceId: string; runId: string }): Promise<void> {
  try {
    const row = await findAnyRun(ctx, at.workspaceId, at.runId);
    if (row.attempt_id === null) return;
    const loaded = await loadAttempt(ctx, at.workspaceId, row.attempt_id);
    const summary = summarize(loaded);
    const stored = { workspaceId: at.workspaceId, attemptId: row.attempt_id };
    // In one go: who waits for the verdict must not find a run with results and without its sentence.
    await storeResults(ctx, stored, loaded, summary, async (tx) => {
      if (!summary) return;
      // Alerts compare it with the runs before it.
      if (row.state === "succeeded" && row.published_by === null)
        await run(
          tx,
          sql`INSERT INTO alert_check (workspace_id, run_id, created_at) VALUES (${at.workspaceId}, ${at.runId}, ${ctx.now()})
              ON CONFLICT DO NOTHING`,
        );
      await run(
        tx,
        sql`UPDATE run SET headline = ${storable(summary.sentence)}, revision = revision + 1
            WHERE workspace_id = ${at.workspaceId} AND run_id = ${at.runId} AND attempt_no = ${row.attempt_no}`,
      );
    });
  } catch (error) {
    ctx.log.error({ err: error, run_id: at.runId }, "The summary of a finished run could not be made.");
  }
}
