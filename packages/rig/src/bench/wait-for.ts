import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../say";

/** Asks again and again; an app that restarts refuses for a moment. */
export async function waitFor<T>(
  what: string,
  patience_ms: number,
  look: () => Promise<T | null>,
): Promise<T> {
  let last = "";
  for (const until = Date.now() + patience_ms; Date.now() < until; await sleep(500)) {
    const found = await look().catch((error: Error) => {
      last = ` ${error.message}`;
      return null;
    });
    if (found !== null) return found;
  }
  throw new CommandError(`${what} did not happen within ${patience_ms / 1000} s.${last}`);
}
