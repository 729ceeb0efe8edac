import { endCommands } from "./exec";
import { say } from "./say";

const cleanups: (() => Promise<void>)[] = [];
let interrupted = false;
export const isInterrupted = (): boolean => interrupted;

/** What to do before an end by Ctrl-C or SIGTERM. The last one said is done first. */
export const whenInterrupted = (cleanup: () => Promise<void>): void => {
  cleanups.push(cleanup);
};

export function listenForInterrupts(): void {
  for (const [signal, status] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.on(signal, () => {
      if (interrupted) return;
      interrupted = true;
      endCommands();
      void leave(status);
    });
  }
}

async function leave(status: number): Promise<void> {
  for (const cleanup of cleanups.reverse()) {
    await cleanup().catch((error: unknown) =>
      say(`while stopping: ${error instanceof Error ? error.message : error}`),
    );
  }
  process.exit(status);
}
