import { spawn } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { childEnv } from "./exec";
import { whenInterrupted } from "./interrupt";
import { isMeasuring } from "./measuring";
import { paths, root } from "./paths";

const LOOK_MS = 250;

/**
 * What the first report does not need: the other servers' system packages, and k6. At the lowest priority, and held
 * while something is measured on this host.
 */
export async function run(): Promise<number> {
  const [command = "", ...args] = [...gently(), "sh", join(root, "packages/rig/sh/later.sh")];
  writeFileSync(pidFile(), `${process.pid}\n`);
  announceK6(process.pid);
  // The leader of a process group of its own, so that a compiler that it started is held, too.
  const child = spawn(command, args, { cwd: root, env: childEnv(), detached: true, stdio: ["ignore", 2, 2] });
  let held = false;
  const tell = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // It has just ended.
    }
  };
  const timer = setInterval(() => {
    if (isMeasuring() === held) return;
    held = !held;
    tell(held ? "SIGSTOP" : "SIGCONT");
  }, LOOK_MS);
  const forget = (): void => {
    for (const file of [pidFile(), k6Marker()]) rmSync(file, { force: true });
  };
  whenInterrupted(async () => {
    tell("SIGTERM");
    tell("SIGCONT");
    forget();
  });
  const code = await new Promise<number>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (status) => resolve(status ?? 1));
  });
  clearInterval(timer);
  forget();
  return code;
}

/** For the agent, which says "is being built" of a k6 that is not there while this process lives. */
export function announceK6(pid: number): void {
  if (existsSync(join(paths.tools, "k6"))) return;
  writeFileSync(k6Marker(), `${pid}\n`);
}
const pidFile = (): string => join(paths.home, "later.pid");
const k6Marker = (): string => join(paths.tools, "k6.building");

function gently(): string[] {
  const idle = ["/usr/bin/ionice", "/bin/ionice"].find((path) => existsSync(path));
  return ["nice", "-n", "19", ...(idle ? [idle, "-c", "3"] : [])];
}
