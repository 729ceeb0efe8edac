/** Seconds between heartbeats while an attempt is live. */
export const HEARTBEAT_S = 2;
/** A lease that is not started is over after so long. */
export const LEASE_S = 60;
/** Without a heartbeat for so long a run is shown as unreachable. */
export const UNREACHABLE_S = 10;
/** Planned seconds are stretched by this before the grace is added. */
export const DEADLINE_FACTOR = 3;
/** Planned seconds while the plan is not known: the longest that the scenarios may take, whatever they are. */
export const UNPLANNED_S = 6 * 3600;
/** Seconds that the agent lets one step of a build take before it stops it (`STEP_LIMIT` in apps/agent/src/server/build/step.rs). */
export const BUILD_STEP_S = 1800;
