import { forgetRequests } from "./network/request";
import { useInstallation } from "./paths";
import { say } from "./say";
import { isAlive, stop } from "./services/service";
import { readState, remember, type State } from "./state";
import { isDatabaseRunning, stopDatabase } from "./up/database";

/** Stops what `up` started, by the processes that it wrote down and no others. The data stays. */
export async function run(): Promise<number> {
  const stopped = await stopAll();
  useInstallation("dev");
  stopped.push(...(await stopAll()).map((name) => `${name} of ./rig dev`));
  say(
    stopped.length === 0
      ? "nothing was running."
      : `stopped: ${stopped.join(", ")}. ./rig up starts it again, with the same data.`,
  );
  return 0;
}

const PROCESSES = ["later", "archives", "agent", "web"] as const;
type Process = (typeof PROCESSES)[number];
type Part = Process | "postgres";

/**
 * What `begin` started does not outlive its error. What ran before runs on, also where `begin` has started it anew: somebody
 * uses it.
 */
export async function orStop<T>(begin: () => Promise<T>): Promise<T> {
  const before = await running();
  try {
    return await begin();
  } catch (error) {
    await stopAll(before);
    throw error;
  }
}

/** What of it runs now. */
export async function running(): Promise<Set<Part>> {
  const state = readState();
  const parts = new Set<Part>(PROCESSES.filter((name) => isAlive(state[name])));
  if (state.postgres && (await isDatabaseRunning())) parts.add("postgres");
  return parts;
}

/** The agent before the app, while there still is somebody to tell; the database last. */
export async function stopAll(but: ReadonlySet<Part> = new Set()): Promise<string[]> {
  const state = readState();
  const stopped: string[] = [];
  if (!but.has("web")) forgetRequests();
  const end = async (name: Process, patience_ms?: number): Promise<boolean> =>
    !but.has(name) && (await stop(state[name], patience_ms));
  await end("later");
  await end("archives");
  if (await end("agent", 35_000)) stopped.push("agent");
  if (await end("web")) stopped.push("web app");
  forget(PROCESSES.filter((name) => !but.has(name)));
  if (state.postgres && !but.has("postgres") && (await stopDatabase())) stopped.push("PostgreSQL");
  return stopped;
}

/** A full disk takes no note of it, and need not: what has ended is known by its start time. */
function forget(ended: readonly Process[]): void {
  try {
    remember(Object.fromEntries(ended.map((name) => [name, undefined])) as Partial<State>);
  } catch (error) {
    if (!["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
