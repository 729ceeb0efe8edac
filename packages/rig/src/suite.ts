import { appendFileSync, existsSync } from "node:fs";
import { env } from "./env";
import { exec, givingWay, logPath, tailOf } from "./exec";
import { answer, say, seconds } from "./say";

export type Outcome =
  | { status: "passed"; why?: string }
  | { status: "failed"; why: string }
  | { status: "skipped"; why: string };

/** Something that can pass, fail, or be skipped with a reason; never passed because it could not run. */
export interface Suite {
  name: string;
  run(): Promise<Outcome>;
}

export const passed: Outcome = { status: "passed" };
export const failed = (why: string): Outcome => ({ status: "failed", why });
export const skipped = (why: string): Outcome => ({ status: "skipped", why });

/** A suite that is one command; its output goes to `.rig/log/<log>.log`. */
export function command(
  name: string,
  argv: [string, ...string[]],
  options: { cwd?: string; env?: Record<string, string | undefined>; needs?: () => string | null } = {},
): Suite {
  const log = name.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase();
  return {
    name,
    run: async () => {
      const missing = options.needs?.();
      if (missing) return skipped(missing);
      const [program, ...args] = argv;
      const done = await exec(program, args, {
        log,
        ...(options.cwd ? { cwd: options.cwd } : {}),
        env: { CI: "1", NO_COLOR: "1", TERM: "dumb", CARGO_TERM_COLOR: "never", ...options.env },
      });
      if (done.code === 0) return passed;
      if (done.code === 77) return skipped(tailOf(logPath(log), 1) || "it says that it cannot run here");
      return failed(`${tailOf(logPath(log), 8)}\nThe whole output is in ${logPath(log)}.`);
    },
  };
}

/** Whoever asks for it gets the outcome of the only time that it runs. */
export function once({ name, run }: Suite): Suite {
  let running: Promise<Outcome> | undefined;
  return {
    name,
    run: () => {
      running ??= run();
      return running;
    },
  };
}

/** The suites of a sequence run in order. */
export type Sequence = readonly Suite[];
/** Sequences that run at the same time. */
export const beside = (...sequences: Sequence[]): readonly Sequence[] => sequences;

/** A sequence that leaves the processors to the one that takes longest. It has about a fifth of a core where both want it. */
export const gently = (sequence: Sequence): Sequence =>
  sequence.map(({ name, run }) => ({ name, run: () => givingWay(GENTLE, run) }));
const GENTLE = 6;

/** Runs them in order, one line each as it ends, and ends with the count. 0 when nothing failed. */
export async function runSuites(suites: readonly (Suite | readonly Sequence[])[]): Promise<number> {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const began = Date.now();
  for (const next of suites) {
    const sequences = "name" in next ? [[next]] : next;
    await Promise.all(
      sequences.map(async (sequence) => {
        for (const suite of sequence) count[await runSuite(suite)] += 1;
      }),
    );
  }
  say(`all of it took ${seconds(Date.now() - began)}`);
  answer(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  return count.failed === 0 ? 0 : 1;
}

async function runSuite(suite: Suite): Promise<Outcome["status"]> {
  const from = Date.now();
  const outcome = await suite.run().catch((error: unknown): Outcome => {
    const text = error instanceof Error ? error.message : String(error);
    appendFileSync(logPath("errors"), `${suite.name}: ${error instanceof Error ? error.stack : text}\n`);
    return failed(text);
  });
  const took = seconds(Date.now() - from);
  say(
    `${outcome.status.padEnd(7)} ${suite.name} (${took})${outcome.status !== "failed" && outcome.why ? `: ${outcome.why}` : ""}`,
  );
  if (outcome.status === "failed") for (const line of outcome.why.split("\n")) say(`        ${line}`);
  return outcome.status;
}

/** For `needs`: a sentence when the program is not on the PATH. */
export const needsProgram = (name: string, how: string) => (): string | null =>
  env.PATH.split(":").some((dir) => existsSync(`${dir}/${name}`)) ? null : `${name} is not installed: ${how}`;
