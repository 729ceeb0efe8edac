import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../say";
import { readState } from "../state";
import { atMost, type Figure } from "./figure";
import { rssMib } from "./procfs";
import type { Stack } from "./stack";

const SETTLE_MS = 5000;
const SAMPLES = 30;
const EVERY_MS = 500;

/** Resident memory of an agent that waits for work: the largest of many looks, so that the long poll is in it. */
export async function idle(_: Stack): Promise<Figure[]> {
  if (process.platform !== "linux") {
    say("idle: only /proc is read, and this is not Linux");
    return [atMost("idle_agent_rss", null, "MiB", 15)];
  }
  const pid = readState().agent?.pid ?? 0;
  await sleep(SETTLE_MS);
  let largest = 0;
  for (let i = 0; i < SAMPLES; i += 1) {
    largest = Math.max(largest, rssMib(pid));
    await sleep(EVERY_MS);
  }
  return [atMost("idle_agent_rss", largest, "MiB", 15)];
}
