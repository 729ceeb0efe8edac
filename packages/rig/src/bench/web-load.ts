import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { capture } from "../exec";
import { CommandError, say } from "../say";
import { atLeast, type Figure, quantile } from "./figure";

const TRIES = 3;
const BETWEEN_MS = 5000;
const CONNECTIONS = 16;
const SECONDS = 4;
const REQUESTS = 200;
/** Of all cores: with more taken by others, a rate below its goal says nothing about us. */
const OTHERS = 0.2;

/**
 * Rate of `ab` for one address, over kept connections and compressed as browsers ask. A rate that is short of its goal is
 * tried again, three times in all; it is null where others kept the processors busy in the best of them.
 */
export async function rateOf(name: string, url: string, goal: number, webPid: number): Promise<Figure> {
  let best: { rate: number; others: number } | null = null;
  for (let i = 0; i < TRIES && (best === null || best.rate < goal); i += 1) {
    if (i > 0) await sleep(BETWEEN_MS);
    const before = cpuTimes(webPid);
    const rate = await ab(url, true);
    const after = cpuTimes(webPid);
    const others = 1 - (after.ours - before.ours + after.idle - before.idle) / (after.all - before.all);
    if (best === null || rate > best.rate) best = { rate, others };
  }
  if (best === null || best.rate >= goal || best.others < OTHERS)
    return atLeast(name, best?.rate ?? null, "req/s", goal);
  say(
    `web: ${name} came to ${best.rate.toFixed(0)} req/s while others used ${(best.others * 100).toFixed(0)} % of the processors; try again when the host is quieter`,
  );
  return atLeast(name, null, "req/s", goal);
}

/** Each request on a connection of its own, as strangers come who look once. */
export const newConnections = (url: string): Promise<number> => ab(url, false);

async function ab(url: string, keep: boolean): Promise<number> {
  const args = [
    "-q",
    ...(keep ? ["-k"] : []),
    "-c",
    String(CONNECTIONS),
    "-t",
    String(SECONDS),
    "-n",
    "10000000",
  ];
  const { code, stdout, stderr } = await capture("ab", [...args, "-H", "Accept-Encoding: gzip, br", url]);
  const rate = Number(/^Requests per second:\s+([\d.]+)/m.exec(stdout)?.[1]);
  if (code !== 0 || !Number.isFinite(rate)) throw new CommandError(`ab failed for ${url}:\n${stderr}`);
  const wrong = /^Non-2xx responses:\s+(\d+)/m.exec(stdout)?.[1];
  if (wrong) throw new CommandError(`${wrong} responses of ${url} were wrong.`);
  return rate;
}

/** In ticks: of all processors, what they waited, and what the app and the tools that have ended used. */
function cpuTimes(webPid: number): { all: number; idle: number; ours: number } {
  const times = (/^cpu +(.*)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1] ?? "").split(" ").map(Number);
  const fields = (pid: number | "self") => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
  };
  const sum = (values: readonly (number | undefined)[]) => values.reduce<number>((n, v) => n + (v ?? 0), 0);
  return {
    all: sum(times.slice(0, 8)),
    idle: sum(times.slice(3, 5)),
    ours: sum(fields(webPid).slice(11, 13)) + sum(fields("self").slice(11, 15)),
  };
}

/** Median time from a request to the first byte of its response, with nothing else under way, in milliseconds. */
export async function firstByte(url: string): Promise<number | null> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i += 1) {
    const began = performance.now();
    await new Promise<void>((resolve, reject) => {
      const asking = get(url, { agent, headers: { "accept-encoding": "gzip, br" } }, (response) => {
        response.once("data", () => times.push(performance.now() - began));
        response.once("end", resolve).once("error", reject);
      });
      asking.once("error", reject);
    });
  }
  agent.destroy();
  return quantile(times, 0.5);
}
