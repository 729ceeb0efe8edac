import { envProblem } from "./env";
import { generate } from "./generate";
import { isInterrupted, listenForInterrupts } from "./interrupt";
import { answer, CommandError, say } from "./say";

interface Command {
  run(argv: string[]): Promise<number>;
}
/** One file a command; loaded when asked for, since some need what `generate` makes first. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  up: () => import("./up/index"),
  dev: () => import("./dev/index"),
  down: () => import("./down"),
  check: () => import("./check/index"),
  test: () => import("./test/index"),
  bench: () => import("./bench/index"),
  release: () => import("./release/index"),
  serve: () => import("./serve"),
  later: () => import("./later"),
};

/** These reach the database's client, which is generated code. */
const IMPORT_GENERATED = new Set(["up", "dev", "bench"]);

async function main(): Promise<number> {
  const [name = "", ...argv] = process.argv.slice(2);
  const load = COMMANDS[name];
  if (!load) throw new CommandError(`there is no command "${name}".`, { exit: 2 });
  if (envProblem) throw new CommandError(`${envProblem}.`, { exit: 2 });
  if (IMPORT_GENERATED.has(name)) await generate();
  const command = await load();
  return command.run(argv);
}

listenForInterrupts();
/** Idle connections of a pool would keep us for another ten seconds, so the end is said, not waited for. */
const leave = (status: number): void => {
  if (isInterrupted()) return; // the interrupt leaves when everything is stopped
  process.stdout.write("", () => process.exit(status));
};

main().then(leave, (error: unknown) => {
  if (isInterrupted()) return;
  const message = error instanceof Error ? error.message : String(error);
  say(message);
  if (!(error instanceof CommandError) && error instanceof Error && error.stack) say(error.stack);
  if (process.argv.includes("--json")) answer(JSON.stringify({ error: { code: "failed", message } }));
  leave(error instanceof CommandError ? error.exit : 1);
});
