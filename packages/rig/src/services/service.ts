import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { childEnv, logPath } from "../exec";
import { CommandError } from "../say";
import { startOf } from "./identity";

/** A process that `up` started: its number, and the start time that proves that it is still the one. */
export const Service = z.object({ pid: z.int(), started: z.string(), log: z.string() });
export type Service = z.infer<typeof Service>;

export const isAlive = (service: Service | undefined): boolean =>
  service !== undefined && startOf(service.pid) === service.started;

/** Starts a program that outlives us, as the leader of a process group; its output goes to a fresh log. */
export async function launch(
  name: string,
  command: string,
  args: string[],
  options: { cwd: string; env: Record<string, string | undefined> },
): Promise<Service> {
  const log = logPath(name);
  if (existsSync(log)) renameSync(log, `${log}.1`);
  const out = openSync(log, "w", 0o600);
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: childEnv(options.env),
    detached: true,
    stdio: ["ignore", out, out],
  });
  closeSync(out);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) =>
      reject(new CommandError(`${command} could not be started: ${cause.message}.`, { cause })),
    );
  });
  child.unref();
  const pid = child.pid ?? 0;
  const started = startOf(pid);
  if (!started) throw new CommandError(`${name} ended at once; its log is ${log}.`);
  return { pid, started, log };
}

/** Asks it and its children to end; after `patience` they are ended. Never signals a process that is not ours. */
export async function stop(service: Service | undefined, patience_ms = 20_000): Promise<boolean> {
  if (!service || !isAlive(service)) return false;
  signal(service.pid, "SIGTERM");
  for (const until = Date.now() + patience_ms; Date.now() < until; await sleep(50)) {
    if (!isAlive(service)) return true;
  }
  signal(-service.pid, "SIGKILL");
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
