import { readFileSync } from "node:fs";
import { env } from "./env";

/** Where an agent or a `rigmark run` writes who measures, for as long as it does (apps/agent/src/host/lock.rs). */
const LOCKS = env.RIGMARK_LOCK ? [env.RIGMARK_LOCK] : ["/dev/shm/rigmark.lock", "/tmp/rigmark.lock"];

/** Does somebody measure on this host now? */
export const isMeasuring = (locks = LOCKS): boolean => locks.some(isHeld);

function isHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, "utf8").split("\n")[0]);
    return Number.isInteger(pid) && pid > 1 && isAlive(pid);
  } catch {
    return false;
  }
}

/** It may be another user's. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
