import { one, sql, type Tx } from "@rigmark/db";
import type { JournalRecord } from "@rigmark/protocol";
import { DomainError } from "../../error";
import type { AttemptKey } from "../../internal/sample/store";

interface Counts {
  trials: number;
  labels: number;
  verifies: number;
  conformance: number;
  run_phases: number;
  trial_phases: number;
}

/** What an honest attempt stays far below. Pages and reports hold all of these at once. */
const mostOf = (trials: number): Omit<Counts, "trials"> => ({
  labels: 200,
  verifies: trials * 4 + 100,
  conformance: 200,
  run_phases: 1000,
  trial_phases: trials * 40,
});
const WORDS: Record<keyof Omit<Counts, "trials">, string> = {
  labels: "labels",
  verifies: "verifications",
  conformance: "records of conformance",
  run_phases: "phases of the whole run",
  trial_phases: "phases of trials",
};
const COUNTED = new Set<JournalRecord["kind"]>(["label", "verify", "conformance", "phase"]);

/** Refuses the chunk that would give an attempt more of something than anybody reads. Called when its rows are there. */
export async function requireRoom(tx: Tx, key: AttemptKey, records: JournalRecord[]): Promise<void> {
  if (!records.some((r) => COUNTED.has(r.kind))) return;
  const of = sql`workspace_id = ${key.workspaceId} AND attempt_id = ${key.attemptId}`;
  const counts = await one<Counts>(
    tx,
    sql`SELECT (SELECT count(*) FROM trial WHERE ${of}) AS trials, (SELECT count(*) FROM label WHERE ${of}) AS labels,
          (SELECT count(*) FROM verify WHERE ${of}) AS verifies,
          (SELECT count(*) FROM conformance WHERE ${of}) AS conformance, p.run_phases, p.trial_phases
        FROM (SELECT count(*) FILTER (WHERE trial_id IS NULL) AS run_phases,
                count(*) FILTER (WHERE trial_id IS NOT NULL) AS trial_phases FROM phase WHERE ${of}) p`,
  );
  if (!counts) return;
  for (const [what, most] of Object.entries(mostOf(counts.trials)) as [keyof typeof WORDS, number][]) {
    if (counts[what] > most)
      throw new DomainError(
        "too_large",
        `An attempt of ${counts.trials} trials has at most ${most} ${WORDS[what]}.`,
      );
  }
}
