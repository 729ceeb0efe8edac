import type { RunSpec, Scenario } from "@rigmark/protocol";

/** Seconds beside the load itself: start, verify before and after, stop. Cold builds come on top, once an entry. */
const TRIAL_OVERHEAD_S = { min: 0.5, max: 4 };
const BUILD_S = { min: 0, max: 60 };

export interface PlannedRange {
  min_s: number;
  max_s: number;
}

/**
 * How long a run may take, for the page before queueing. The agent expands the plan; the app shows a range of
 * durations and nothing more.
 */
export function plannedRange(
  spec: Pick<RunSpec, "entries" | "repeats" | "duration_s" | "warmup_s">,
  scenarios: readonly Pick<Scenario, "duration_s" | "warmup_s">[],
): PlannedRange {
  const entries = spec.entries.length;
  const trials = entries * spec.repeats * scenarios.length;
  const loadS = scenarios.reduce(
    (sum, s) => sum + (spec.duration_s ?? s.duration_s) + (spec.warmup_s ?? s.warmup_s),
    0,
  );
  const load = loadS * entries * spec.repeats;
  return {
    min_s: Math.round(load + trials * TRIAL_OVERHEAD_S.min + entries * BUILD_S.min),
    max_s: Math.round(load + trials * TRIAL_OVERHEAD_S.max + entries * BUILD_S.max),
  };
}
