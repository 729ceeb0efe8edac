/** Here without a schema, since browsers read it. */

export const RUN_STATES = [
  "queued",
  "leased",
  "preparing",
  "measuring",
  "uploading",
  "cancelling",
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
  "incomplete",
] as const;

export const FINAL_STATES: readonly (typeof RUN_STATES)[number][] = [
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
  "incomplete",
];
