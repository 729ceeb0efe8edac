import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { say } from "../say";

const PROBE_MS = 300;
/** Others may take this share of the processors in a quiet moment. */
const QUIET = 0.1;
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 3000;

/** Of all processors together, in clock ticks. */
export interface Ticks {
  busy: number;
  stolen: number;
  total: number;
}

/** The first line of /proc/stat. */
export function parseTicks(stat: string): Ticks | null {
  const numbers = /^cpu +([\d ]+)/.exec(stat)?.[1]?.trim().split(" ").map(Number);
  if (!numbers || numbers.length < 4) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, stolen = 0] = numbers;
  const busy = user + nice + system + irq + softirq;
  return { busy, stolen, total: busy + idle + iowait + stolen };
}

/** The share of the processors that the hypervisor and other programs took while we used `own_ticks`. */
export function taken(before: Ticks, after: Ticks, own_ticks: number): number {
  const total = after.total - before.total;
  if (total <= 0) return 0;
  const others = Math.max(0, after.busy - before.busy - own_ticks);
  return Math.min(1, (others + after.stolen - before.stolen) / total);
}

/** What programs use of one processor in a second, in ticks. */
export const TICKS_PER_S = 100;

/** Keeps every processor busy for a moment: steal shows only under load. Null where there is no /proc/stat. */
export async function probe(): Promise<number | null> {
  const before = readTicks();
  if (!before) return null;
  const own = process.cpuUsage();
  const spin = `const end = Date.now() + ${PROBE_MS}; while (Date.now() < end);`;
  await Promise.all(
    cpus().map(
      () =>
        new Promise((resolve) => {
          new Worker(spin, { eval: true, execArgv: [] }).once("exit", resolve).once("error", resolve);
        }),
    ),
  );
  const after = readTicks();
  const { user, system } = process.cpuUsage(own);
  return after && taken(before, after, ((user + system) / 1e6) * TICKS_PER_S);
}

export function readTicks(): Ticks | null {
  try {
    return parseTicks(readFileSync("/proc/stat", "utf8"));
  } catch {
    return null;
  }
}

/** Returns when others take little, or when the patience is over. */
export async function waitForQuiet(patience_ms: number): Promise<void> {
  const until = Date.now() + Math.min(patience_ms, PATIENCE_MS);
  for (let looks = 0; ; looks += 1) {
    const share = await probe();
    if (share === null || share <= QUIET || Date.now() + LOOK_EVERY_MS > until) return;
    if (looks === 0) say(`  waiting: others take ${Math.round(share * 100)} % of the processors`);
    await sleep(LOOK_EVERY_MS);
  }
}
