import { run, sql } from "@rigmark/db";
import type { Ctx } from "../../context";
import { type DomainError, isDomainError } from "../../error";
import { topics } from "../../internal/bus";
import { storable } from "../../internal/text";
import { enterAttempt } from "./fence";

/** What an agent cannot fix by sending it again: it will put the attempt aside. */
const LASTING: readonly DomainError["code"][] = ["invalid", "too_large", "chunk_conflict", "digest"];

/** Leaves the reason with the run, so that its page says more than that data are missing. A later finish clears it. */
export async function noteRefusal(
  ctx: Ctx,
  attempt: { attemptId: string; attemptNo: number },
  what: string,
  error: unknown,
): Promise<void> {
  if (!isDomainError(error) || !LASTING.includes(error.code)) return;
  try {
    const at = await enterAttempt(ctx, ctx.db, attempt);
    const message = storable(`${what} was refused: ${error.message}`);
    await run(
      ctx.db,
      sql`UPDATE run SET error_code = 'data-refused', error_message = ${message}, revision = revision + 1
          WHERE workspace_id = ${at.workspaceId} AND run_id = ${at.runId} AND attempt_no = ${at.attemptNo}
            AND state NOT IN ('succeeded', 'failed', 'cancelled', 'timed_out')`,
    );
    ctx.bus.hint(topics.run(at.runId));
  } catch {
    // The refusal itself is what the agent must hear.
  }
}
