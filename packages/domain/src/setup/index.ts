export { claim } from "./claim";
export { enrollLocal } from "./enroll-local";
export { ensureHome, type Home } from "./ensure-home";
export { firstReport } from "./first-report";
export { queueDemo } from "./queue-demo";
export { status } from "./status";
