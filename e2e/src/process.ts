import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";

/** A child process whose output can be awaited line by line. */
export class Running {
  readonly lines: string[] = [];
  private readonly waiting = new Set<() => void>();
  readonly exited: Promise<number | null>;

  constructor(
    readonly child: ChildProcess,
    log?: string,
  ) {
    const file = log ? createWriteStream(log, { flags: "a" }) : null;
    let rest = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        file?.write(text);
        const parts = (rest + text).split("\n");
        rest = parts.pop() ?? "";
        this.lines.push(...parts);
        for (const wake of this.waiting) wake();
      });
    }
    this.exited = once(child, "exit").then(([code]) => {
      for (const wake of this.waiting) wake();
      return code as number | null;
    });
  }

  /** The first line, past or future, that matches. */
  async line(pattern: RegExp, within_ms = 120_000): Promise<string> {
    const until = Date.now() + within_ms;
    for (;;) {
      const found = this.lines.find((l) => pattern.test(l));
      if (found) return found;
      if (this.child.exitCode !== null || Date.now() > until)
        throw new Error(`no line matched ${pattern}; the last were:\n${this.lines.slice(-12).join("\n")}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, until - Date.now());
        const waiting = this.waiting;
        function done() {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        }
        waiting.add(done);
      });
    }
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.exited;
  }
}

export const run = (
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; log?: string } = {},
): Running =>
  new Running(
    spawn(command, args, { env: options.env, cwd: options.cwd, stdio: ["ignore", "pipe", "pipe"] }),
    options.log,
  );

/** Runs to the end. `stdout` only; talk goes to stderr. */
export const finish = async (
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> => {
  const child = spawn(command, args, {
    env: options.env,
    cwd: options.cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (t: string) => {
    stdout += t;
  });
  child.stderr.setEncoding("utf8").on("data", (t: string) => {
    stderr += t;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
};
