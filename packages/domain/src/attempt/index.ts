export { finishAttempt } from "./finish";
export { leaseAttempt } from "./lease";
export { type ChunkInput, putChunk } from "./put-chunk";
export { recordHeartbeat } from "./record-heartbeat";
export { reprojectAttempt } from "./reproject";
export { startAttempt } from "./start";
export { startSweeper } from "./start-sweeper";
export { sweepAttempts } from "./sweep";
