/** Here without a schema, since browsers read it. The agent has the same in `apps/agent/src/protocol/ranges.rs`. */

export const RUN_RANGES = {
  entries: { min: 1, max: 16 },
  scenarios: { min: 1, max: 32 },
  repeats: { min: 1, max: 100 },
  duration_s: { min: 0.2, max: 3600 },
  warmup_s: { min: 0, max: 600 },
  slice_s: { min: 0.2, max: 1 },
  precision: { min: 0.001, max: 0.5 },
  time_limit_s: { min: 1, max: 86_400 },
} as const;

/** Entries × scenarios × repeats. The plan is one record, and a record travels whole within one chunk of 256 KiB. */
export const MAX_TRIALS = 1000;
