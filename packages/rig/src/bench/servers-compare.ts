import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, say } from "../say";
import { type Answer, ask } from "./servers-ask";
import { type Counters, Load, type Turns } from "./servers-load";
import { type Contender, type Running, start } from "./servers-start";

export interface Size {
  file: string;
  /** wrk's: many for small answers, few for large ones. */
  connections: number;
}

export interface Slice extends Counters {
  seconds: number;
}

/** What one server did in each round. */
export interface Result {
  name: string;
  closed: Slice[];
  paced: Slice[];
  /** Why its figures do not count; null where they do. */
  fault: string | null;
}

export interface Comparison {
  rate: number;
  results: Result[];
}

export interface Plan {
  closedRounds: number;
  pacedRounds: number;
  /** Of what the reference server manages in closed loop: the rate that is offered to all. */
  share: number;
  /** Load, and quiet after it in which what is under way comes to its end. */
  active_ms: number;
  quiet_ms: number;
}

interface Side {
  server: Running;
  answer: Answer;
  result: Result;
}

/** All are started and connected before the first turn. */
const CONNECT_MS = 700;
/** One whole round before the counted ones. */
const WARM_ROUNDS = 1;

/**
 * All servers alive at once, one of them loaded at a time. Rounds are mirrored (A B C, C B A, …), so that each two
 * servers are measured as ABBA and what drifts on the machine drifts for both. Closed loop first; a share of
 * what `reference` managed is then the rate that is offered to all.
 */
export async function compare(
  contenders: readonly Contender[],
  reference: string,
  size: Size,
  plan: Plan,
  hash: string,
  log: number,
): Promise<Comparison> {
  const running: Running[] = [];
  try {
    const sides: Side[] = [];
    for (const each of contenders) {
      const server = await start(each, size.file, log).catch((error: unknown) => {
        if (each.name === reference) throw error;
        say(`servers: ${each.name} is left out: ${error instanceof Error ? error.message : String(error)}`);
      });
      if (!server) continue;
      running.push(server);
      const answer = await ask(server.port, size.file);
      const fault = wrong(server.name, answer, hash);
      sides.push({ server, answer, result: { name: server.name, closed: [], paced: [], fault } });
    }
    await closed(sides, size, plan);
    const reached = sides.find((side) => side.server.name === reference)?.result.closed ?? [];
    const rate = Math.round(plan.share * mean(reached));
    say(`servers: ${size.file} at ${rate} requests/s`);
    await paced(sides, size, plan, rate);
    return { rate, results: sides.map((side) => side.result) };
  } finally {
    for (const { child } of running) child.kill("SIGTERM");
  }
}

/** Everybody as fast as it goes, the others frozen. */
async function closed(sides: readonly Side[], size: Size, plan: Plan): Promise<void> {
  const loads: Load[] = [];
  try {
    for (const { server, answer } of sides) {
      const load = new Load(server, answer, size.file, size.connections, null);
      loads.push(load);
      await sleep(plan.active_ms);
      load.freeze();
    }
    for (let round = 0; round < plan.closedRounds; round += 1) {
      for (const at of order(sides.length, round)) {
        const [load, side] = [loads[at], sides[at]];
        if (!load || !side) continue;
        const before = load.read();
        const began = performance.now();
        load.thaw();
        await sleep(plan.active_ms);
        load.freeze();
        const seconds = (performance.now() - began) / 1000;
        await sleep(plan.quiet_ms); // the server may still be filling sockets
        side.result.closed.push(between(before, load.read(), seconds));
      }
    }
    await settle(sides, loads, size);
  } finally {
    for (const load of loads) load.kill();
  }
}

/** Everybody at the same rate; the loads know their turns. Counters are read when nothing of theirs is under way. */
async function paced(sides: readonly Side[], size: Size, plan: Plan, rate: number): Promise<void> {
  const count = sides.length;
  const slot_ms = plan.active_ms + plan.quiet_ms;
  const begin_ms = Math.round(monotonic_ms() + CONNECT_MS);
  const loads: Load[] = [];
  try {
    for (const [index, { server, answer }] of sides.entries()) {
      const turns: Turns = { rate, begin_ms, slot_ms, active_ms: plan.active_ms, index, count };
      loads.push(new Load(server, answer, size.file, size.connections, turns));
    }
    const before: Counters[] = [];
    for (let round = 0; round < plan.pacedRounds + WARM_ROUNDS; round += 1) {
      for (const [place, at] of order(count, round).entries()) {
        const [load, side] = [loads[at], sides[at]];
        if (!load || !side) continue;
        await sleep(Math.max(0, begin_ms + (round * count + place + 1) * slot_ms - monotonic_ms()));
        const now = load.read();
        const last = before[at];
        before[at] = now;
        if (last && round >= WARM_ROUNDS) side.result.paced.push(between(last, now, plan.active_ms / 1000));
      }
    }
    await settle(sides, loads, size);
  } finally {
    for (const load of loads) load.kill();
  }
}

/** The loads end, and each server is asked once more: who was found out has no figures. */
async function settle(sides: readonly Side[], loads: readonly Load[], size: Size): Promise<void> {
  for (const [at, { server, answer, result }] of sides.entries()) {
    result.fault ??= (await loads[at]?.end()) ?? null;
    const again = await ask(server.port, size.file).catch(() => null);
    if (again?.sha256 !== answer.sha256) result.fault ??= "it answered differently after the load";
  }
}

const order = (count: number, round: number): number[] => {
  const all = Array.from({ length: count }, (_, at) => at);
  return round % 2 === 0 ? all : all.reverse();
};

const between = (before: Counters, after: Counters, seconds: number): Slice => ({
  requests: after.requests - before.requests,
  seconds,
  cpu_us: after.cpu_us - before.cpu_us,
  tool_us: after.tool_us - before.tool_us,
});

const monotonic_ms = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

function wrong(name: string, answer: Answer, hash: string): string | null {
  if (answer.status !== 200) return `it answered ${answer.status}`;
  // The null server's bytes are its own.
  return name === "null" || answer.sha256 === hash ? null : "it sent other bytes than the file's";
}

function mean(slices: readonly Slice[]): number {
  const requests = slices.reduce((sum, slice) => sum + slice.requests, 0);
  const seconds = slices.reduce((sum, slice) => sum + slice.seconds, 0);
  const rate = requests / seconds;
  if (!(rate > 0))
    throw new CommandError("the reference server answered nothing, so there is no rate to offer.");
  return rate;
}
