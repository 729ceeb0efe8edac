import { one, sql, type Tx } from "@rigmark/db";
import type { JournalRecord } from "@rigmark/protocol";
import { DomainError } from "../../error";
import type { AttemptKey } from "../../internal/sample/store";

/**
 * A journal begins with its one `begin` and has one plan at most. Where a host's disk damaged the first record, a line
 * of the log stands in its place.
 */
export async function requireOrder(tx: Tx, key: AttemptKey, records: JournalRecord[]): Promise<void> {
  const odd = records.find((r) =>
    r.seq === 0 ? r.kind !== "begin" && r.kind !== "log" : r.kind === "begin",
  );
  if (odd) {
    throw new DomainError(
      "invalid",
      odd.seq === 0
        ? `The first record of the journal is of the kind ${odd.kind}; it must be begin.`
        : "The journal has a second begin record; only its first record can be one.",
    );
  }
  const plans = records.filter((r) => r.kind === "plan").length;
  if (plans === 0) return;
  const planned = await one(
    tx,
    sql`SELECT 1 FROM trial WHERE workspace_id = ${key.workspaceId} AND attempt_id = ${key.attemptId} LIMIT 1`,
  );
  if (plans > 1 || planned)
    throw new DomainError("invalid", "The journal has a second plan; an attempt has only one.");
}
