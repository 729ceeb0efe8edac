import { say } from "../say";
import { attempt } from "./attempt";
import { atMost, type Figure, fact, quantile } from "./figure";
import { ended, queueRun } from "./runs";
import type { Stack } from "./stack";

const RUNS = 20;

/** From the moment that a run is queued to the moment that its agent may begin, both on the app's clock. */
export const queue = (stack: Stack): Promise<Figure[]> => attempt([startsWithin(null)], () => waitsOf(stack));

const startsWithin = (p95: number | null): Figure => atMost("queue_to_start_p95", p95, "s", 1, "p95 ");

async function waitsOf(stack: Stack): Promise<Figure[]> {
  await ended(stack.home, await queueRun(stack, "bench: builds the server", 0.2));
  const waits: number[] = [];
  for (let i = 0; i < RUNS; i += 1) {
    const run = await ended(stack.home, await queueRun(stack, `bench: queue ${i + 1}`, 0.2));
    const { created_at, started_at } = run.timings;
    if (started_at) waits.push((new Date(started_at).getTime() - new Date(created_at).getTime()) / 1000);
  }
  say(`queue: ${waits.map((w) => w.toFixed(3)).join(" ")}`);
  return [
    startsWithin(quantile(waits, 0.95)),
    fact("queue_to_start_median", quantile(waits, 0.5), "s"),
    fact("queue_runs", waits.length, "runs"),
  ];
}
