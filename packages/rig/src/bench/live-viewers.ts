import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import pg from "pg";
import { say } from "../say";
import { readState } from "../state";
import { type Arrivals, collectArrivals, delaysOf } from "./arrivals";
import { Disturbed } from "./attempt";
import { atMost, type Figure, fact, quantile, unmeasured } from "./figure";
import { cookieHeader, type Owner } from "./owner";
import { cpuSeconds, rssMib } from "./procfs";
import { LIGHT_SCENARIO, queueRun, until } from "./runs";
import type { Stack } from "./stack";

export const VIEWERS = 200;
export const MEMORY = "viewers_web_memory";
/** A moment without viewers, then one with all of them; between the two they come. */
const [BEFORE_S, OPENING_S, WITH_S] = [12, 25, 25];
const DURATION_S = BEFORE_S + OPENING_S + WITH_S + 10;
/** With the build, and the rows that come after the end. */
export const VIEWERS_MS = (DURATION_S + 30) * 1000;
const SETTLE_MS = 3000;
const HEALTH_EVERY_MS = 200;

interface Cost {
  statements: number | null;
  cpu: number | null;
  memory: number | null;
  arrival_p95: number | null;
  health_p95: number | null;
}
const promises = ({ statements, cpu, memory, arrival_p95, health_p95 }: Cost): Figure[] => [
  atMost("viewers_statements", statements, "statements/s", 40, `${VIEWERS} viewers `),
  atMost("viewers_web_cpu", cpu, "cores", 0.15, `${VIEWERS} viewers `),
  atMost(MEMORY, memory, "MiB", 350, `${VIEWERS} viewers `),
  atMost("sample_to_viewer_p95", arrival_p95, "s", 0.5, `${VIEWERS} viewers, p95 `),
  atMost("health_p95", health_p95, "ms", 50, `${VIEWERS} viewers, p95 `),
];
export const PROMISED = promises({
  ...{ statements: null, cpu: null, memory: null },
  ...{ arrival_p95: null, health_p95: null },
});

/** What viewers of one run cost the app and its database, how soon each has a sample, and what others notice of it. */
export async function viewers(stack: Stack, owner: Owner): Promise<Figure[]> {
  if (process.platform !== "linux") return unmeasured(PROMISED, "Only /proc is read, and this is not Linux.");
  const cookie = await cookieHeader(stack.home, owner);
  const runId = await queueRun(stack, "bench: viewers of one run", DURATION_S, 1, LIGHT_SCENARIO);
  await until(stack.home, runId, (run) => run.state === "measuring");
  const without = await lookFor(stack, BEFORE_S);
  const gone = new AbortController();
  const streams = Array.from({ length: VIEWERS }, () => openStream(stack, cookie, runId, gone.signal));
  try {
    const began = Date.now();
    while (!streams.every((stream) => stream.arrivals.list.length > 0)) {
      if (Date.now() - began > OPENING_S * 1000 - SETTLE_MS)
        throw new Disturbed(`${VIEWERS} viewers did not all have a sample within ${OPENING_S} s.`);
      await sleep(100);
    }
    say(`live: ${VIEWERS} viewers came within ${((Date.now() - began) / 1000).toFixed(1)} s`);
    await sleep(SETTLE_MS);
    const from_ms = Date.now();
    const during = await lookFor(stack, WITH_S);
    const lost = streams.filter((stream) => stream.ended()).length;
    if (lost > 0) throw new Disturbed(`${lost} of ${VIEWERS} streams ended early.`);
    gone.abort();
    const arrivals = streams.flatMap((stream) => stream.arrivals.list);
    const delays = await delaysOf(stack, runId, arrivals, from_ms);
    return [
      ...promises({
        statements: during.statements - without.statements,
        cpu: during.cpu,
        memory: during.memory,
        arrival_p95: quantile(delays, 0.95),
        health_p95: quantile(during.health, 0.95),
      }),
      fact("sample_to_viewer_median", quantile(delays, 0.5), "s"),
      fact("statements_without_viewers", without.statements, "statements/s"),
      fact("web_cpu_without_viewers", without.cpu, "cores"),
    ];
  } finally {
    gone.abort();
  }
}

interface Stream {
  arrivals: Arrivals;
  ended(): boolean;
}

/** Follows a run as its page does. */
function openStream(stack: Stack, cookie: string, runId: string, signal: AbortSignal): Stream {
  const arrivals = collectArrivals();
  let over = false;
  const read = async () => {
    const input = JSON.stringify({ json: { workspace: stack.home.workspace, runId } });
    const response = await fetch(
      `${stack.web.publicUrl}/api/trpc/run.watch?input=${encodeURIComponent(input)}`,
      { headers: { cookie, accept: "text/event-stream" }, signal },
    );
    let rest = "";
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${rest}${part}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data: ")) arrivals.take(line.slice("data: ".length));
    }
  };
  read()
    .catch(() => undefined)
    .finally(() => {
      over = true;
    });
  return { arrivals, ended: () => over };
}

/** Statements and processor time a second, MiB of memory at the end, and milliseconds of each look at the app's health, for so many seconds. */
async function lookFor(
  stack: Stack,
  seconds: number,
): Promise<{ statements: number; cpu: number; memory: number; health: number[] }> {
  const pid = readState().web?.pid ?? 0;
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    const [began, cpu, statements] = [performance.now(), cpuSeconds(pid), await statementsOf(client)];
    const health = await healthFor(stack, seconds);
    const after = await statementsOf(client);
    const took = (performance.now() - began) / 1000;
    return {
      ...{ statements: (after - statements) / took, cpu: (cpuSeconds(pid) - cpu) / took },
      ...{ memory: rssMib(pid), health },
    };
  } finally {
    await client.end();
  }
}

/** Asked in a thread of its own: this one reads what two hundred viewers get. */
const ASK = `
const { parentPort, workerData } = require("node:worker_threads");
(async () => {
  const { url, seconds, every } = workerData;
  const took = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const asked = performance.now();
    await (await fetch(url)).arrayBuffer();
    took.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  parentPort.postMessage(took);
})();
`;

function healthFor(stack: Stack, seconds: number): Promise<number[]> {
  const workerData = { url: `${stack.web.publicUrl}/api/health`, seconds, every: HEALTH_EVERY_MS };
  return new Promise((resolve, reject) => {
    const worker = new Worker(ASK, { eval: true, workerData });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

/** Each statement outside a transaction is one of its own. PostgreSQL counts them with a delay of about a second. */
async function statementsOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    "SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()",
  );
  return Number(rows[0]?.count);
}
