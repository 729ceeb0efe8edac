import type { Ctx } from "../context";
import { purgeRuns } from "../run/purge";
import { expireRuns } from "../schedule/expire";
import { queueDueRuns } from "../schedule/queue-due";
import { sweepAttempts } from "./sweep";

const EVERY_MS = 2000;

/** Sweeps for as long as the process lives. Returns a function that ends it. */
export function startSweeper(ctx: Ctx): () => void {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      await sweepAttempts({ ctx });
      await expireRuns({ ctx });
      await queueDueRuns({ ctx });
      await purgeRuns({ ctx });
    } catch (error) {
      ctx.log.warn({ err: error }, "The sweep failed; it is tried again.");
    } finally {
      busy = false;
    }
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
