import { run, sql, type Tx } from "@rigmark/db";
import type { RecordOf } from "@rigmark/protocol";
import { storableJson } from "../../../internal/text";
import type { Target } from "./index";

const rows = (records: { seq: number; t_us: number; data: unknown }[]): string =>
  storableJson(records.map(({ seq, t_us, data }) => ({ ...(data as object), seq, t_us })));
const key = (to: Target) => sql`${to.workspaceId}::uuid, ${to.attemptId}::uuid`;

export async function projectPhases(tx: Tx, to: Target, records: RecordOf<"phase">[]): Promise<void> {
  if (records.length === 0) return;
  await run(
    tx,
    sql`INSERT INTO phase (workspace_id, attempt_id, seq, t_us, phase, status, entry_key, trial_id, message)
        SELECT ${key(to)}, r.* FROM jsonb_to_recordset(${rows(records)}::jsonb)
          AS r(seq int8, t_us int8, phase text, status text, entry_key text, trial_id uuid, message text)`,
  );
}

export async function projectLogs(tx: Tx, to: Target, records: RecordOf<"log">[]): Promise<void> {
  if (records.length === 0) return;
  await run(
    tx,
    sql`INSERT INTO log (workspace_id, attempt_id, seq, t_us, source, level, entry_key, trial_id, line)
        SELECT ${key(to)}, r.* FROM jsonb_to_recordset(${rows(records)}::jsonb)
          AS r(seq int8, t_us int8, source text, level text, entry_key text, trial_id uuid, line text)`,
  );
}

export async function projectVerifies(tx: Tx, to: Target, records: RecordOf<"verify">[]): Promise<void> {
  if (records.length === 0) return;
  await run(
    tx,
    sql`INSERT INTO verify (workspace_id, attempt_id, seq, t_us, entry_key, trial_id, "when", workload, status, checks)
        SELECT ${key(to)}, r.* FROM jsonb_to_recordset(${rows(records)}::jsonb)
          AS r(seq int8, t_us int8, entry_key text, trial_id uuid, "when" text, workload text, status text, checks jsonb)`,
  );
}

export async function projectConformance(
  tx: Tx,
  to: Target,
  records: RecordOf<"conformance">[],
): Promise<void> {
  if (records.length === 0) return;
  await run(
    tx,
    sql`INSERT INTO conformance (workspace_id, attempt_id, seq, entry_key, workload, checks)
        SELECT ${key(to)}, r.* FROM jsonb_to_recordset(${rows(records)}::jsonb)
          AS r(seq int8, entry_key text, workload text, checks jsonb)`,
  );
}

export async function projectLabels(tx: Tx, to: Target, records: RecordOf<"label">[]): Promise<void> {
  if (records.length === 0) return;
  await run(
    tx,
    sql`INSERT INTO label (workspace_id, attempt_id, seq, code, message, entry_key)
        SELECT ${key(to)}, r.* FROM jsonb_to_recordset(${rows(records)}::jsonb)
          AS r(seq int8, code text, message text, entry_key text)`,
  );
}
