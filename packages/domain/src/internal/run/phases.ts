import type { PhaseView } from "@rigmark/results";
import type { PhaseRow } from "./load";

const idOf = (row: PhaseRow): string => `${row.phase} ${row.entry_key} ${row.trial_id}`;

/** Begins and ends, put together. A phase may come again; the newest begin is the one that an end closes. */
export function phaseViews(rows: PhaseRow[], beginUs: number): PhaseView[] {
  const at = (t_us: number): number => (t_us - beginUs) / 1e6;
  const views: PhaseView[] = [];
  const open = new Map<string, PhaseView>();
  for (const row of rows) {
    const found = open.get(idOf(row));
    if (row.status === "begin" || !found) {
      const view: PhaseView = {
        phase: row.phase,
        status: row.status === "begin" ? "running" : row.status === "end" ? "ended" : "failed",
        entry_key: row.entry_key,
        trial_id: row.trial_id,
        began_s: at(row.t_us),
        ended_s: row.status === "begin" ? null : at(row.t_us),
        message: row.message,
      };
      views.push(view);
      if (row.status === "begin") open.set(idOf(row), view);
    } else {
      found.status = row.status === "end" ? "ended" : "failed";
      found.ended_s = at(row.t_us);
      found.message = row.message ?? found.message;
      open.delete(idOf(row));
    }
  }
  return views;
}

/** Where the run is: the phase that began last and has not ended. */
export const currentPhase = (phases: PhaseView[]): PhaseView | null =>
  phases.filter((p) => p.status === "running").sort((a, b) => b.began_s - a.began_s)[0] ?? null;
