import { AsyncLocalStorage } from "node:async_hooks";
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { env, inherited } from "./env";
import { paths, root } from "./paths";
import { CommandError } from "./say";

export interface ExecOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** `inherit` shows the output as it comes (on stderr); otherwise it goes to `.rig/log/<log>.log`. */
  log?: string;
}
export interface Captured {
  code: number;
  stdout: string;
  stderr: string;
}
export interface Done {
  code: number;
  /** Path of the log; null when the output was shown. */
  log: string | null;
}

const children = new Set<ChildProcess>();

/** The build that ./rig began before us; a command of ours waits for it and then does the same. */
let aheadOfUs = env.RIG_BUILD_AHEAD ? Number(env.RIG_BUILD_AHEAD) : undefined;
export const buildAheadHasEnded = (): void => {
  aheadOfUs = undefined;
};

/** Ends the commands that still run: for Ctrl-C in the middle of a build. */
export function endCommands(): void {
  for (const child of children) child.kill("SIGTERM");
  if (aheadOfUs === undefined) return;
  try {
    process.kill(aheadOfUs, "SIGTERM");
  } catch {
    // It has ended.
  }
}

/** What children are told beside what we were told. No tool of the build reports anything to anybody. */
export const childEnv = (extra: Record<string, string | undefined> = {}): NodeJS.ProcessEnv => ({
  ...inherited,
  NEXT_TELEMETRY_DISABLED: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  DO_NOT_TRACK: "1",
  ...extra,
});

const niceness = new AsyncLocalStorage<number>();

/** What `work` starts gives way to other commands: 0 as they are, 19 the most. */
export const givingWay = <T>(nice: number, work: () => Promise<T>): Promise<T> => niceness.run(nice, work);

function giveWay({ pid }: ChildProcess): void {
  const nice = niceness.getStore();
  if (nice === undefined || pid === undefined) return;
  try {
    setPriority(pid, nice);
  } catch {
    // It has ended.
  }
}

export function exec(command: string, args: string[], options: ExecOptions = {}): Promise<Done> {
  const log = options.log ? logPath(options.log) : null;
  const out = log ? openSync(log, "w", 0o600) : 2;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: childEnv(options.env),
      stdio: ["ignore", out, out],
    });
    children.add(child);
    giveWay(child);
    child.once("error", (cause) => {
      children.delete(child);
      reject(new CommandError(`${command} could not be started: ${cause.message}.`, { cause }));
    });
    child.once("close", (code, signal) => {
      children.delete(child);
      if (log) closeSync(out);
      resolve({ code: code ?? (signal === "SIGINT" ? 130 : 1), log });
    });
  });
}

/** Like exec, but what it says comes back. */
export function capture(command: string, args: string[], options: ExecOptions = {}): Promise<Captured> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: childEnv(options.env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(child);
    giveWay(child);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("error", (cause) => {
      children.delete(child);
      reject(new CommandError(`${command} could not be started: ${cause.message}.`, { cause }));
    });
    child.once("close", (code) => {
      children.delete(child);
      resolve({ code: code ?? 1, stdout, stderr });
    });
  });
}

export const logPath = (name: string): string => {
  mkdirSync(paths.log, { recursive: true });
  return join(paths.log, `${name}.log`);
};

/** Turbo's and pnpm's own words about a failure tell nothing. */
const NOISE = /ELIFECYCLE|run failed: command|^Failed: |exited \(\d+\)|npm (error|ERR!) Lifecycle/;

const STRONG = /error TS\d|error\[E|^\s*(error|fatal|E)\b.*:|\b\w*Error: |panicked|ENOSPC|^\s*(×|✗|FAIL)/;
const WEAK = /error|fail|panic|cannot|could not/i;
/** What Vitest prints below an AssertionError: what was expected, and what came. The first lines of it, so that the name of the test stays. */
const DIFFERENCE = /^[-+] /;
const MOST_DIFFERENCE = 6;

/** The lines that tell why: the last ones that speak of an error, else the last ones. */
export function tailOf(log: string, lines = 3): string {
  const all = stripVTControlCharacters(readFileSync(log, "utf8"))
    .split("\n")
    .map((line) => line.replace(/^@rigmark\/[a-z]+:[a-z]+: /, "").trimEnd())
    .filter((line, at, every) => line !== "" && !NOISE.test(line) && line !== every[at - 1]);
  for (const signs of [STRONG, WEAK]) {
    const telling = all.filter(
      (line, at) => signs.test(line) || (DIFFERENCE.test(line) && belowAssertion(all, at)),
    );
    if (telling.length > 0) return telling.slice(-lines).join("\n");
  }
  return all.slice(-lines).join("\n");
}

const belowAssertion = (lines: string[], at: number): boolean =>
  lines.slice(Math.max(0, at - MOST_DIFFERENCE), at).some((line) => line.includes("AssertionError"));

/** exec for a step that must succeed: `what` is "the web app", say, and the sentence names the log. */
export async function must(
  what: string,
  command: string,
  args: string[],
  options: ExecOptions & { log: string },
): Promise<void> {
  const done = await exec(command, args, options);
  if (done.code === 0 || !done.log) return;
  throw new CommandError(`${what} failed:\n${tailOf(done.log)}\nThe whole output is in ${done.log}.`);
}
