import { CommandError, say, seconds } from "../say";
import { type Figure, unmeasured } from "./figure";
import { waitForQuiet } from "./host";

/** The host did not allow a measurement; in a quieter moment it may. */
export class Disturbed extends CommandError {}

const TRIES = 3;

/** The clock, and the wait between two tries. Tests give their own. */
export interface Surroundings {
  now(): number;
  quieter(patience_ms: number): Promise<void>;
}
const thisHost: Surroundings = { now: Date.now, quieter: waitForQuiet };

/** Errors that no bench expects. Each of them makes the exit code 1. */
export const faults: unknown[] = [];

/** What the bench that runs now has measured in its parts: what it prints when it is interrupted. */
export const soFar: Figure[] = [];

let end = Number.POSITIVE_INFINITY;
/** From now on nothing is tried again, and nothing long is begun, that would not end within so many milliseconds. */
export function limitTime(ms: number): void {
  end = Date.now() + ms;
}

/**
 * Measures, with up to three tries where the host does not allow it. Always answers: what could not be measured is
 * each of the promised figures as null, with the reason. `needs_ms` is what one try takes, where that is known.
 */
export async function attempt(
  promised: readonly Figure[],
  measure: () => Promise<Figure[]>,
  { needs_ms = 0, on = thisHost }: { needs_ms?: number; on?: Surroundings } = {},
): Promise<Figure[]> {
  const timeLeft = (): number => end - on.now();
  if (needs_ms > 0 && timeLeft() < needs_ms)
    return unmeasured(
      promised,
      `It takes ${seconds(needs_ms)}, and less than that was left of the bench's time.`,
    );
  for (let tried = 1; ; tried += 1) {
    const began = on.now();
    try {
      const figures = await measure();
      soFar.push(...figures);
      return figures;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!(error instanceof CommandError)) faults.push(error);
      if (!(error instanceof Disturbed)) return unmeasured(promised, why);
      const took = on.now() - began;
      if (tried === TRIES || timeLeft() < took)
        return unmeasured(promised, tried === 1 ? why : `${why} Tried ${tried} times.`);
      say(`  ${why} Trying again in a quieter moment.`);
      await on.quieter(timeLeft() - took);
    }
  }
}
