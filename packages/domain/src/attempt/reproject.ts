import { all, one, run, sql } from "@rigmark/db";
import type { Call } from "../context";
import { DomainError } from "../error";
import { requireSystem } from "../internal/access";
import { inflateChunk, parseRecords } from "../internal/decode-chunk";
import { project } from "./internal/project/index";

const PROJECTED = [
  "entry_result",
  "entry",
  "run_scenario",
  "block",
  "trial",
  "phase",
  "log",
  "verify",
  "conformance",
  "label",
];

/** Throws away what was made from an attempt's journal and makes it again from the stored chunks. */
export async function reprojectAttempt({
  ctx,
  input,
}: Call<{ workspaceId: string; attemptId: string }>): Promise<number> {
  requireSystem(ctx);
  const { workspaceId, attemptId } = input;
  return ctx.db.tx(async (tx) => {
    const attempt = await one<{ run_id: string; attempt_no: number }>(
      tx,
      sql`SELECT run_id, attempt_no FROM attempt WHERE workspace_id = ${workspaceId} AND attempt_id = ${attemptId} FOR UPDATE`,
    );
    if (!attempt) throw new DomainError("not_found", "There is no such attempt.");
    for (const table of PROJECTED) {
      const text = `DELETE FROM "${table}" WHERE workspace_id = $1 AND attempt_id = $2`;
      await tx.query({ text, values: [workspaceId, attemptId] });
    }
    await run(
      tx,
      sql`UPDATE attempt SET results_at = NULL WHERE workspace_id = ${workspaceId} AND attempt_id = ${attemptId}`,
    );
    const chunks = await all<{ seq: number; body: Buffer; received_at: Date }>(
      tx,
      sql`SELECT seq, body, received_at FROM chunk
          WHERE workspace_id = ${workspaceId} AND attempt_id = ${attemptId} AND stream = 'journal' ORDER BY seq`,
    );
    for (const chunk of chunks) {
      const records = parseRecords(await inflateChunk(chunk.body), "journal");
      const target = {
        ...input,
        runId: attempt.run_id,
        attemptNo: attempt.attempt_no,
        now: chunk.received_at,
      };
      await project(tx, { ...target, chunkSeq: chunk.seq, graceS: ctx.config.graceS }, records);
    }
    return chunks.length;
  });
}
