import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { childEnv } from "../exec";
import { CommandError } from "../say";
import { TOOL_CORE } from "./servers-start";

export interface Job {
  port: number;
  path: string;
  bytes: number;
  duration_s: number;
  load:
    | { kind: "closed"; connections: number; keep_alive: boolean }
    | { kind: "rate"; rate_per_s: number; connections: number; keep_alive: boolean };
}

export interface ToolResult {
  requests: number;
  /** Processor time of the tool, all of its life. */
  cpu_s: number;
  p99_us: number | null;
  dropped: number;
}

const Result = z.object({
  requests: z.number(),
  failures: z.record(z.string(), z.number()),
  latency_ns: z.object({ percentiles: z.array(z.tuple([z.number(), z.number()])) }).nullable(),
  offered: z.object({ dropped: z.number() }).nullable(),
});

/** `rigmark internal loadgen` on the tool's core. */
export async function generate(agent: string, scratch: string, job: Job): Promise<ToolResult> {
  const file = join(scratch, "job.json");
  const scenario = {
    schema: 1,
    id: "bench",
    title: "Bench",
    summary: "",
    workload: "static",
    tool: "loadgen",
    path: job.path,
    body_bytes: job.bytes,
    load: job.load,
    duration_s: job.duration_s,
    warmup_s: 0,
  };
  const whole = {
    address: `127.0.0.1:${job.port}`,
    scenario,
    duration_s: job.duration_s,
    timeout_s: 2,
    threads: 1,
    spin: true,
    seed: randomInt(2 ** 47),
    backend: null,
    samples: null,
  };
  writeFileSync(file, JSON.stringify(whole));
  const { text, cpu_s } = await timed([agent, "internal", "loadgen", "--job", file]);
  const said = Result.parse(JSON.parse(text.trim().split("\n").at(-1) ?? ""));
  const failed = Object.values(said.failures).reduce((sum, n) => sum + n, 0);
  if (failed > 0) throw new CommandError(`loadgen: ${failed} of ${said.requests} requests failed.`);
  const p99 = said.latency_ns?.percentiles.find(([p]) => p === 99)?.[1];
  return {
    requests: said.requests,
    cpu_s,
    p99_us: p99 === undefined ? null : p99 / 1000,
    dropped: said.offered?.dropped ?? 0,
  };
}

/** wrk with one thread, without a script, on the same core. */
export async function wrk(job: Job): Promise<ToolResult> {
  const url = `http://127.0.0.1:${job.port}${job.path}`;
  const connections = String(job.load.connections);
  const { text, cpu_s } = await timed(["wrk", "-t", "1", "-c", connections, "-d", `${job.duration_s}s`, url]);
  const requests = Number(/(\d+) requests in/.exec(text)?.[1]);
  if (!(requests > 0)) throw new CommandError("wrk said nothing; is it installed (package wrk)?");
  return { requests, cpu_s, p99_us: null, dropped: 0 };
}

/** Its standard output, and the processor time that the shell's `times` tells of its children: user and system. */
async function timed(argv: string[]): Promise<{ text: string; cpu_s: number }> {
  const shell = [
    "bash",
    "-c",
    'TIMEFORMAT="%3U %3S"; time "$@" 2>/dev/null',
    "bash",
    "taskset",
    "-c",
    TOOL_CORE,
  ];
  const [command = "", ...args] = [...shell, ...argv];
  const child = spawn(command, args, { env: childEnv(), stdio: ["ignore", "pipe", "pipe"] });
  let [text, times] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    times += part;
  });
  await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [user = Number.NaN, system = Number.NaN] = times.trim().split(/\s+/).slice(-2).map(Number);
  return { text, cpu_s: user + system };
}
