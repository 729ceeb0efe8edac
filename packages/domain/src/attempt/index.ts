export { finish } from "./finish";
export { heartbeat } from "./heartbeat";
export { lease } from "./lease";
export { type ChunkInput, putChunk } from "./put-chunk";
export { reproject } from "./reproject";
export { start } from "./start";
export { sweep } from "./sweep";
export { startSweeper } from "./sweeper";
