import type { RunState } from "@rigmark/protocol";

/** States of a run that waits or runs; the others are final. */
export const LIVE_STATES: RunState[] = [
  "queued",
  "leased",
  "preparing",
  "measuring",
  "uploading",
  "cancelling",
];
