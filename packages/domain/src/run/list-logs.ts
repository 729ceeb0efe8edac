import { sql } from "@rigmark/db";
import type { LogView, RunLogs } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { findRun } from "../internal/run/find";
import { readLogs } from "./internal/read-logs";

interface Input {
  workspace: string;
  runId: string;
  before?: number | undefined;
  limit: number;
  source?: LogView["source"] | undefined;
  entryKey?: string | undefined;
  trialId?: string | undefined;
}

export async function listRunLogs({ ctx, input }: Call<Input>): Promise<RunLogs> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const row = await findRun(ctx, workspaceId, input.runId);
  if (!row.attempt_id) return { lines: [], before: null };
  const [before, source, entry, trial] = [input.before, input.source, input.entryKey, input.trialId].map(
    (v) => v ?? null,
  );
  const lines = await readLogs(
    ctx,
    { workspaceId, attemptId: row.attempt_id, beginUs: row.begin_us ?? 0 },
    sql`(${before}::int8 IS NULL OR seq < ${before}::int8) AND (${source}::text IS NULL OR source = ${source})
        AND (${entry}::text IS NULL OR entry_key = ${entry}) AND (${trial}::uuid IS NULL OR trial_id = ${trial}::uuid)`,
    input.limit + 1,
  );
  const page = lines.slice(-input.limit);
  return { lines: page, before: lines.length > page.length ? (page[0]?.seq ?? null) : null };
}
