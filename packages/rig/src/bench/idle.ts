import { setTimeout as sleep } from "node:timers/promises";
import { readState } from "../state";
import { attempt, Disturbed } from "./attempt";
import { atMost, type Figure, unmeasured } from "./figure";
import { rssMib } from "./procfs";
import type { Stack } from "./stack";

const SETTLE_MS = 5000;
const SAMPLES = 30;
const EVERY_MS = 500;

/** Resident memory of an agent that waits for work: the largest of many looks, so that the long poll is in it. */
export async function idle(_: Stack): Promise<Figure[]> {
  const promised = [atMost("idle_agent_rss", null, "MiB", 15)];
  if (process.platform !== "linux") return unmeasured(promised, "Only /proc is read, and this is not Linux.");
  return attempt(promised, largest);
}

async function largest(): Promise<Figure[]> {
  const pid = readState().agent?.pid ?? 0;
  await sleep(SETTLE_MS);
  let most = 0;
  for (let i = 0; i < SAMPLES; i += 1) {
    most = Math.max(most, rssMib(pid));
    await sleep(EVERY_MS);
  }
  if (!(most > 0)) throw new Disturbed("The agent was not running.");
  return [atMost("idle_agent_rss", most, "MiB", 15)];
}
