import { runCommand } from "./command";
import { generate } from "./generate";
import { CommandError } from "./say";

interface Command {
  run(argv: string[]): Promise<number>;
}
/** One file a command; loaded when asked for, since some need what `generate` makes first. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  up: () => import("./up/index"),
  dev: () => import("./dev/index"),
  down: () => import("./down"),
  backup: () => import("./backup/index"),
  restore: () => import("./backup/restore"),
  check: () => import("./check/index"),
  test: () => import("./test/index"),
  bench: () => import("./bench/index"),
  release: () => import("./release/index"),
  later: () => import("./later"),
  archives: () => import("./network/archives"),
};

/** These reach the database's client, which is generated code. */
const IMPORT_GENERATED = new Set(["up", "dev", "bench"]);

runCommand(async () => {
  const [name = "", ...argv] = process.argv.slice(2);
  const load = COMMANDS[name];
  if (!load) throw new CommandError(`there is no command "${name}".`, { exit: 2 });
  if (IMPORT_GENERATED.has(name)) await generate();
  const command = await load();
  return command.run(argv);
});
