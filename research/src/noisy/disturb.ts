import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "@rigmark/rig/research";
import { z } from "zod";

const PROGRAM = join(import.meta.dirname, "disturber.py");

export interface Disturbance {
  /** Of each processor's time, drawn anew between these every few seconds. */
  share: [number, number];
  seed: number;
  /** The host's counters say that a hypervisor took it, and not that other programs did. */
  asSteal: boolean;
}

const DisturberOutput = z.object({ share: z.number().nullable() });

/** Does the work while the processors are taken away in bursts. `env` is what the agent needs to see the host so. */
export async function disturbed<T>(
  by: Disturbance,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<{ result: T; share: number }> {
  const root = mkdtempSync(join(tmpdir(), "rigmark-noisy-"));
  mkdirSync(join(root, "proc"));
  // An interrupted bench leaves nobody behind who takes the processors.
  const args = [PROGRAM, "--with-parent", "--share", by.share.join(".."), "--seed", String(by.seed)];
  if (by.asSteal) args.push("--stat", join(root, "proc", "stat"));
  const child = spawn("python3", args, { stdio: ["ignore", "pipe", "pipe"] });
  let [out, said] = ["", ""];
  child.stdout.on("data", (text) => {
    out += text;
  });
  const begun = new Promise<void>((resolve) => {
    child.stderr.on("data", (text) => {
      said += text;
      if (said.includes("has begun")) resolve();
    });
    child.once("exit", () => resolve());
  });
  const ended = once(child, "exit");
  try {
    await begun;
    if (child.exitCode !== null) throw new CommandError(`the disturber did not start: ${said.trim()}`);
    const result = await work(by.asSteal ? { RIGMARK_SYSROOT: root } : {});
    child.kill("SIGTERM");
    await ended;
    return { result, share: DisturberOutput.parse(JSON.parse(out)).share ?? 0 };
  } finally {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    rmSync(root, { recursive: true, force: true });
  }
}
