/** Talk goes to stderr, one line a thing; results alone go to stdout. */
export const say = (text: string): void => {
  process.stderr.write(`rig: ${text}\n`);
};
export const answer = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** One sentence that says what happened and what to do, and the exit code that goes with it. */
export class CommandError extends Error {
  readonly exit: number;
  constructor(message: string, options: { exit?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exit = options.exit ?? 1;
  }
}

export const seconds = (ms: number): string =>
  ms < 90_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
