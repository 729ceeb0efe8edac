import { run, sql, type Tx } from "@rigmark/db";
import type { RecordOf } from "@rigmark/protocol";
import { storableJson } from "../../../internal/text";
import type { Target } from "./index";

const ofTrial = (to: Target, trialId: string) =>
  sql`workspace_id = ${to.workspaceId} AND attempt_id = ${to.attemptId} AND trial_id = ${trialId}`;

interface Mark {
  trial_id: string;
  begin_us: number | null;
  measure_us: number | null;
  last_us: number | null;
}

/** When each trial began, when its measured window began, and its newest sample. */
export async function markTrials(
  tx: Tx,
  to: Target,
  phases: RecordOf<"phase">[],
  samples: RecordOf<"sample">[],
): Promise<void> {
  const marks = new Map<string, Mark>();
  const mark = (id: string): Mark => {
    const found = marks.get(id) ?? { trial_id: id, begin_us: null, measure_us: null, last_us: null };
    marks.set(id, found);
    return found;
  };
  for (const { t_us, data } of phases) {
    if (data.trial_id === null || data.status !== "begin") continue;
    if (data.phase === "warm-up") mark(data.trial_id).begin_us ??= t_us;
    if (data.phase === "measure") mark(data.trial_id).measure_us ??= t_us;
  }
  for (const { t_us, data } of samples) mark(data.trial_id).last_us = t_us;
  if (marks.size === 0) return;
  await run(
    tx,
    sql`UPDATE trial t SET begin_us = coalesce(t.begin_us, m.begin_us), measure_us = coalesce(t.measure_us, m.measure_us),
          last_us = coalesce(m.last_us, t.last_us), state = CASE WHEN t.state IN ('planned', 'not-needed') THEN 'running' ELSE t.state END
        FROM jsonb_to_recordset(${JSON.stringify([...marks.values()])}::jsonb)
          AS m(trial_id uuid, begin_us int8, measure_us int8, last_us int8)
        WHERE t.workspace_id = ${to.workspaceId} AND t.attempt_id = ${to.attemptId} AND t.trial_id = m.trial_id`,
  );
}

export async function projectHistograms(tx: Tx, to: Target, records: RecordOf<"histogram">[]): Promise<void> {
  for (const { seq, data } of records) {
    await run(
      tx,
      sql`INSERT INTO histogram (workspace_id, attempt_id, trial_id, seq, resolution_us, corrected, count, blob, over_time)
          VALUES (${to.workspaceId}, ${to.attemptId}, ${data.trial_id}, ${seq}, ${data.resolution_us}, ${data.corrected},
            ${data.count}, ${Buffer.from(data.blob, "base64")}, ${data.over_time && JSON.stringify(data.over_time)}::jsonb)`,
    );
  }
}

export async function projectTrials(tx: Tx, to: Target, records: RecordOf<"trial">[]): Promise<void> {
  if (records.length === 0) return;
  for (const { data } of records) {
    await run(
      tx,
      sql`UPDATE trial SET state = ${data.status}, reasons = ${storableJson(data.reasons)}::jsonb,
            labels = ${storableJson(data.labels)}::jsonb, "limit" = ${data.limit},
            result = ${data.result && storableJson(data.result)}::jsonb,
            resources = ${data.resources && storableJson(data.resources)}::jsonb,
            single_shot = ${data.single_shot && storableJson(data.single_shot)}::jsonb,
            warmup_us = ${data.warmup_us}, warmup_steady = ${data.warmup_steady},
            rounds = ${data.rounds && JSON.stringify(data.rounds)}::jsonb
          WHERE ${ofTrial(to, data.trial_id)}`,
    );
    await run(
      tx,
      sql`INSERT INTO slice (workspace_id, attempt_id, trial_id, index, begin_us, end_us, left_out)
          SELECT ${to.workspaceId}::uuid, ${to.attemptId}::uuid, ${data.trial_id}::uuid, s.index, s.begin_us, s.end_us, s.left_out
          FROM jsonb_to_recordset(${JSON.stringify(data.slices)}::jsonb)
            AS s(index int, begin_us int8, end_us int8, left_out bool)
          ON CONFLICT DO NOTHING`,
    );
  }
  await countTrials(tx, to);
}

/** The run ended before its last block: what is planned and was not begun is not needed, neither missing nor failed. */
export async function dropUnneeded(tx: Tx, to: Target, labels: RecordOf<"label">[]): Promise<void> {
  if (!labels.some(({ data }) => data.code === "ended-early")) return;
  await run(
    tx,
    sql`UPDATE trial SET state = 'not-needed'
        WHERE workspace_id = ${to.workspaceId} AND attempt_id = ${to.attemptId} AND state = 'planned'`,
  );
  await countTrials(tx, to);
}

async function countTrials(tx: Tx, to: Target): Promise<void> {
  await run(
    tx,
    sql`UPDATE run SET revision = revision + 1, (trials_total, trials_done, trials_valid, trials_invalid) = (
          SELECT count(*) FILTER (WHERE state <> 'not-needed'),
            count(*) FILTER (WHERE state NOT IN ('planned', 'running', 'not-needed')), count(*) FILTER (WHERE state = 'valid'),
            count(*) FILTER (WHERE state IN ('invalid', 'failed'))
          FROM trial WHERE workspace_id = ${to.workspaceId} AND attempt_id = ${to.attemptId})
        WHERE workspace_id = ${to.workspaceId} AND run_id = ${to.runId} AND attempt_no = ${to.attemptNo}`,
  );
}
