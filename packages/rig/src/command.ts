import { envProblem } from "./env";
import { isInterrupted, listenForInterrupts } from "./interrupt";
import { answer, CommandError, say } from "./say";

/** Runs a command to its end and leaves with its exit code. */
export function runCommand(command: () => Promise<number>): void {
  listenForInterrupts();
  checked(command).then(leave, (error: unknown) => {
    if (isInterrupted()) return;
    const message = error instanceof Error ? error.message : String(error);
    say(message);
    if (!(error instanceof CommandError) && error instanceof Error && error.stack) say(error.stack);
    if (process.argv.includes("--json")) answer(JSON.stringify({ error: { code: "failed", message } }));
    leave(error instanceof CommandError ? error.exit : 1);
  });
}

async function checked(command: () => Promise<number>): Promise<number> {
  if (envProblem) throw new CommandError(`${envProblem}.`, { exit: 2 });
  return command();
}

/** Idle connections of a pool would keep us for another ten seconds, so the end is said, not waited for. */
function leave(status: number): void {
  if (isInterrupted()) return; // the interrupt leaves when everything is stopped
  process.stdout.write("", () => process.exit(status));
}
