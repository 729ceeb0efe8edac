import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { childEnv } from "./exec";
import { whenInterrupted } from "./interrupt";
import { isMeasuring } from "./measuring";
import { root } from "./paths";

const LOOK_MS = 250;

/**
 * Runs a program at the lowest priority, and holds it while something is measured on this host; `onHeld` is told of both.
 * Its output is ours. Returns its exit code.
 */
export async function runGently(args: string[], onHeld: (held: boolean) => void = () => {}): Promise<number> {
  const [command = "", ...rest] = [...lowest(), ...args];
  // The leader of a process group of its own, so that a compiler that it started is held, too.
  const child = spawn(command, rest, {
    cwd: root,
    // What `up` built ahead is no business of this one.
    env: childEnv({ RIG_BUILD_AHEAD: undefined }),
    detached: true,
    stdio: ["ignore", 2, 2],
  });
  let held = false;
  let ended = false;
  const tell = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid && !ended) process.kill(-child.pid, signal);
    } catch {
      // It has just ended.
    }
  };
  const timer = setInterval(() => {
    if (isMeasuring() === held) return;
    held = !held;
    tell(held ? "SIGSTOP" : "SIGCONT");
    onHeld(held);
  }, LOOK_MS);
  whenInterrupted(async () => {
    tell("SIGTERM");
    tell("SIGCONT");
  });
  const code = await new Promise<number>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (status) => resolve(status ?? 1));
  });
  ended = true;
  clearInterval(timer);
  return code;
}

function lowest(): string[] {
  const idle = ["/usr/bin/ionice", "/bin/ionice"].find((path) => existsSync(path));
  return ["nice", "-n", "19", ...(idle ? [idle, "-c", "3"] : [])];
}
