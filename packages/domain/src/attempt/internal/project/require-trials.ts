import { all, sql, type Tx } from "@rigmark/db";
import type { JournalRecord } from "@rigmark/protocol";
import { DomainError } from "../../../error";
import type { Target } from "./index";

/** Samples, histograms and results belong to trials of the plan; anything else is refused by its line. */
export async function requireTrials(tx: Tx, to: Target, records: JournalRecord[]): Promise<void> {
  const named = records.flatMap((r, i) =>
    r.kind === "sample" || r.kind === "histogram" || r.kind === "trial"
      ? [{ line: i + 1, id: r.data.trial_id }]
      : [],
  );
  if (named.length === 0) return;
  const rows = await all<{ trial_id: string }>(
    tx,
    sql`SELECT trial_id FROM trial WHERE workspace_id = ${to.workspaceId} AND attempt_id = ${to.attemptId}
          AND trial_id = ANY(${[...new Set(named.map((n) => n.id))]}::uuid[])`,
  );
  const known = new Set(rows.map((r) => r.trial_id));
  const stray = named.find((n) => !known.has(n.id.toLowerCase()));
  if (stray)
    throw new DomainError(
      "invalid",
      `Line ${stray.line} names the trial ${stray.id}, which is not in the plan.`,
    );
}
