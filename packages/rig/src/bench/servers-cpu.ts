import { readdirSync, readFileSync } from "node:fs";
import { childrenOf } from "./procfs";

/** A process and all that came from it. */
export function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap((child) => treeOf(child.pid))];
}

/**
 * Processor time of some processes, in µs with the resolution of the scheduler (ns), not of the clock tick. A thread
 * that has ended is no longer listed; what it had used when it was last seen stays counted.
 */
export class Cpu {
  private readonly seen = new Map<string, number>();

  constructor(private readonly pids: readonly number[]) {}

  read_us(): number {
    for (const pid of this.pids) {
      for (const task of tasks(pid)) {
        const ns = Number(read(`/proc/${pid}/task/${task}/schedstat`)?.split(" ")[0] ?? Number.NaN);
        if (Number.isFinite(ns)) this.seen.set(`${pid} ${task}`, ns);
      }
    }
    return [...this.seen.values()].reduce((sum, ns) => sum + ns, 0) / 1000;
  }
}

function tasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
