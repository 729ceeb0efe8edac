export { claimHome } from "./claim";
export { enrollLocalHost } from "./enroll-local";
export { ensureHome, type Home } from "./ensure-home";
export { findFirstReport } from "./find-first-report";
export { getSetupStatus } from "./get-status";
export { queueDemoRun } from "./queue-demo";
