/** Here without a schema, since browsers read it. */

/** Of a run that waits or runs. */
export const LIVE_STATES = ["queued", "leased", "preparing", "measuring", "uploading", "cancelling"] as const;

const ENDED = ["succeeded", "failed", "cancelled", "timed_out", "incomplete"] as const;

export const RUN_STATES = [...LIVE_STATES, ...ENDED] as const;

export const FINAL_STATES: readonly (typeof RUN_STATES)[number][] = ENDED;
