import { FINAL_STATES } from "@rigmark/protocol/run-states";
import type { RunListItem } from "@rigmark/results";
import { MOST_COMPARED } from "@rigmark/results/comparable";

/** A ticked run, with what can be done with it. */
export interface PickedRun {
  run_id: string;
  /** It has results. */
  measured: boolean;
  ended: boolean;
}

export const hasEnded = (run: RunListItem): boolean => FINAL_STATES.includes(run.state);

export const pickedOf = (run: RunListItem): PickedRun => ({
  run_id: run.run_id,
  measured: run.trials.done > 0,
  ended: hasEnded(run),
});

/** What this tab keeps of a workspace's list, so that ticks outlive its pages, its filters and the way back to it. */
const keyOf = (workspace: string): string => `picked-runs ${workspace}`;

export function readPicked(workspace: string): PickedRun[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(workspace)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isPicked).slice(0, MOST_COMPARED) : [];
  } catch {
    return [];
  }
}

export function storePicked(workspace: string, picked: readonly PickedRun[]): void {
  try {
    if (picked.length === 0) sessionStorage.removeItem(keyOf(workspace));
    else sessionStorage.setItem(keyOf(workspace), JSON.stringify(picked));
  } catch {
    // They hold for this page then.
  }
}

/** Adds runs to those already ticked, each once. The last ticked ones are dropped if a comparison cannot hold all. */
export function withPicked(before: readonly PickedRun[], added: readonly PickedRun[]): PickedRun[] {
  const known = new Set(before.map((run) => run.run_id));
  const fresh = added.filter((run) => !known.has(run.run_id)).slice(0, MOST_COMPARED);
  return [...before.slice(0, MOST_COMPARED - fresh.length), ...fresh];
}

/** Another version of the app may have stored something else. */
const isPicked = (of: unknown): of is PickedRun => {
  const { run_id, measured, ended } = (of ?? {}) as Partial<Record<keyof PickedRun, unknown>>;
  return typeof run_id === "string" && typeof measured === "boolean" && typeof ended === "boolean";
};
