import type { Logger } from "../context";

/** Does something again and again for as long as the process lives, never twice at once. Returns a function that ends it. */
export function every(ms: number, log: Logger, what: string, act: () => Promise<unknown>): () => void {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      await act();
    } catch (error) {
      log.warn({ err: error }, `${what} failed; it is tried again.`);
    } finally {
      busy = false;
    }
  }, ms);
  timer.unref();
  return () => clearInterval(timer);
}
