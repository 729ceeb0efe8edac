import { setTimeout as sleep } from "node:timers/promises";
import { Disturbed } from "./attempt";
import { bytesRead, isRunning } from "./procfs";

/** One of two loads that take turns: everything that stops with it, and the tool whose bytes are counted. */
export interface Side {
  processes: number[];
  tool: number;
}

const SLICE_MS = 500;
/** Connections, caches and the first sample are behind both. */
const SETTLE_SLICES = 4;

/**
 * Lets two loads run in turns (ABBA), the other one frozen, and returns A ÷ B of each neighboring pair of slices.
 * The whole slice counts, so what A does when it wakes is in it.
 */
export async function ratiosOfPairs(a: Side, b: Side, pairs: number): Promise<number[]> {
  freeze(a);
  freeze(b);
  try {
    for (let i = 0; i < SETTLE_SLICES; i += 1) await slice(i % 2 === 0 ? a : b);
    const ratios: number[] = [];
    for (let i = 0; i < pairs; i += 1) {
      const [first, second] = i % 2 === 0 ? [a, b] : [b, a];
      const rates = [await slice(first), await slice(second)] as const;
      ratios.push(first === a ? rates[0] / rates[1] : rates[1] / rates[0]);
    }
    return ratios;
  } finally {
    thaw(a);
    thaw(b);
  }
}

/** Bytes a second that the tool received in one slice. */
async function slice(side: Side): Promise<number> {
  if (!isRunning(side.tool)) throw new Disturbed("A load tool ended in the middle of the comparison.");
  const bytes = bytesRead(side.tool);
  const began = performance.now();
  thaw(side);
  await sleep(SLICE_MS);
  freeze(side);
  return (bytesRead(side.tool) - bytes) / (performance.now() - began);
}

/** The load first, so that nothing is answered into the dark. */
function freeze(side: Side): void {
  for (const pid of side.processes) signal(pid, "SIGSTOP");
}
function thaw(side: Side): void {
  for (const pid of side.processes.toReversed()) signal(pid, "SIGCONT");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
