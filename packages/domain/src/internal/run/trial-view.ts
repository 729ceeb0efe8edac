import type { TrialView } from "@rigmark/results";
import type { TrialRow } from "./load";

function progressOf(row: TrialRow): number {
  if (row.state === "planned") return 0;
  if (row.state !== "running") return 1;
  if (row.measure_us === null || row.last_us === null || row.duration_s <= 0) return 0;
  return Math.min(1, Math.max(0, (row.last_us - row.measure_us) / 1e6 / row.duration_s));
}

export const trialView = (row: TrialRow, beginUs: number): TrialView => ({
  trial_id: row.trial_id,
  entry_key: row.entry_key,
  scenario: row.scenario_id,
  block: row.block,
  position: row.position,
  slices: row.slices_planned,
  warmup_s: row.warmup_s,
  duration_s: row.duration_s,
  state: row.state,
  progress: progressOf(row),
  measured_from_s: row.measure_us === null ? null : (row.measure_us - beginUs) / 1e6,
  reasons: row.reasons,
  labels: row.labels,
  done_slices: row.slices,
  result: row.result,
  resources: row.resources,
  limit: row.limit,
  single_shot: row.single_shot,
  warmup_us: row.warmup_us,
  warmup_steady: row.warmup_steady,
  rounds: row.rounds,
});
