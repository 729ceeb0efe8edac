/** Seconds between heartbeats while an attempt is live. */
export const HEARTBEAT_S = 2;
/** A lease that is not started, or not renewed by heartbeats, is over after so long. */
export const LEASE_S = 60;
/** Without a heartbeat for so long a run is shown as unreachable. */
export const UNREACHABLE_S = 10;
/** Planned seconds are stretched by this before the grace is added. */
export const DEADLINE_FACTOR = 3;
