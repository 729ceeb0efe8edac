import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../say";
import { Disturbed } from "./attempt";
import { readTicks, TICKS_PER_S, type Ticks, taken, waitForQuiet } from "./host";
import { ask, type ProbeResponse } from "./servers-ask";
import { type Counters, Load, type Turns } from "./servers-load";
import { orders, placesOf, quietRounds, shuffled } from "./servers-order";
import { type Contender, type Running, start } from "./servers-start";

export interface Size {
  file: string;
  /** wrk's: many for small responses, few for large ones. */
  connections: number;
}

export interface Slice extends Counters {
  seconds: number;
  /** The share of the processors that neither the server nor the tool used, and that was not idle. */
  taken: number;
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
  /** Paced rounds that were measured, and those of them that the host disturbed: `results` is without these. */
  rounds: number;
  left_out: number;
}

export interface Plan {
  /**
   * How often everything is started anew. What a start decides (memory, ports, who is woken first) stays with the
   * process: two starts of one program were up to 5 % apart for as long as they lived.
   */
  starts: number;
  /** Of each start. */
  closedRounds: number;
  pacedRounds: number;
  /** Of what the reference server manages in closed loop: the rate that is offered to all. */
  share: number;
  /** Whether the turns so far are enough. Where they are not, it goes on for up to three times the starts. */
  enough?(results: readonly Result[]): boolean;
  /** Load, and quiet after it in which what is under way comes to its end. */
  active_ms: number;
  quiet_ms: number;
}

interface Side {
  server: Running;
  response: ProbeResponse;
  result: Result;
}

/** All are started and connected before the first turn. */
const CONNECT_MS = 700;
/** A whole round, and its mirror, before the counted ones. */
const WARM_ROUNDS = 2;
const STOP_WITHIN_MS = 5000;
const MOST_STARTS = 3;
/** Before each start: turns in which others use the processors differ by more than the servers do. */
const QUIET_WITHIN_MS = 15_000;

/**
 * All servers alive at once, one of them loaded at a time, in an order that changes with each round. Closed loop
 * first; a share of what `reference` managed at the first start is then the rate that is offered to all.
 */
export async function compare(
  contenders: readonly Contender[],
  reference: string,
  size: Size,
  plan: Plan,
  hash: string,
  log: number,
): Promise<Comparison> {
  const results = contenders.map((each): Result => ({ name: each.name, closed: [], paced: [], fault: null }));
  let rate: number | null = null;
  const most = plan.enough ? MOST_STARTS * plan.starts : plan.starts;
  for (let at = 0; at < most; at += 1) {
    if (at >= plan.starts && plan.enough?.(undisturbed(results).results)) break;
    await waitForQuiet(QUIET_WITHIN_MS);
    const running: Running[] = [];
    try {
      const sides: Side[] = [];
      for (const index of shuffled(contenders.length)) {
        const [each, result] = [contenders[index], results[index]];
        if (!each || !result || result.fault !== null) continue;
        const side = await startSide(each, result, size, hash, log);
        if (side) {
          running.push(side.server);
          sides.push(side);
        }
      }
      await closed(sides, size, plan);
      rate ??= offered(results, reference, size, plan);
      await paced(sides, size, plan, rate);
    } finally {
      await stop(running);
    }
  }
  return { rate: rate ?? 0, ...undisturbed(results) };
}

/** The same results without the rounds that the host disturbed; whoever failed has no rounds to compare. */
export function undisturbed(results: readonly Result[]): Omit<Comparison, "rate"> {
  const sound = results.filter((each) => each.fault === null);
  const rounds = Math.min(...sound.map((each) => each.paced.length));
  if (!Number.isFinite(rounds)) return { results: [...results], rounds: 0, left_out: 0 };
  const turns = Array.from({ length: rounds }, (_, at) => sound.map((each) => each.paced[at]?.taken ?? 0));
  const kept = quietRounds(turns);
  const only = (slices: readonly Slice[]): Slice[] =>
    kept.flatMap((at) => {
      const slice = slices[at];
      return slice ? [slice] : [];
    });
  return {
    results: results.map((each) => (each.fault === null ? { ...each, paced: only(each.paced) } : each)),
    rounds,
    left_out: rounds - kept.length,
  };
}

/** Until they are gone, so that what ends does not disturb what starts next. */
async function stop(running: readonly Running[]): Promise<void> {
  await Promise.all(
    running.map(async ({ child }) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await Promise.race([gone, sleep(STOP_WITHIN_MS, null, { ref: false })]);
    }),
  );
}

/** Null, and the fault noted, when it does not start or does not answer with the file. */
async function startSide(
  contender: Contender,
  result: Result,
  size: Size,
  hash: string,
  log: number,
): Promise<Side | null> {
  let server: Running;
  try {
    server = await start(contender, size.file, log);
  } catch (error) {
    result.fault = error instanceof Error ? error.message : String(error);
    return null;
  }
  try {
    const response = await ask(server.port, size.file);
    result.fault = wrong(server.name, response, hash);
    return { server, response, result };
  } catch (error) {
    server.child.kill("SIGTERM");
    throw error;
  }
}

function offered(results: readonly Result[], reference: string, size: Size, plan: Plan): number {
  const found = results.find((each) => each.name === reference);
  if (found?.fault) throw new Disturbed(`${reference} cannot be the measure: ${found.fault}.`);
  const rate = Math.round(plan.share * mean(found?.closed ?? []));
  say(`servers: ${size.file} at ${rate} requests/s`);
  return rate;
}

/** Everybody as fast as it goes, the others frozen. */
async function closed(sides: readonly Side[], size: Size, plan: Plan): Promise<void> {
  const loads: Load[] = [];
  try {
    for (const { server, response } of sides) {
      const load = new Load(server, response, size.file, size.connections, null);
      loads.push(load);
      await sleep(plan.active_ms);
      load.freeze();
    }
    for (const row of orders(sides.length, plan.closedRounds)) {
      for (const at of row) {
        const [load, side] = [loads[at], sides[at]];
        if (!load || !side) continue;
        const before = load.read();
        const began = performance.now();
        load.thaw();
        await sleep(plan.active_ms);
        load.freeze();
        const seconds = (performance.now() - began) / 1000;
        await sleep(plan.quiet_ms); // the server may still be filling sockets
        side.result.closed.push(between(before, load.read(), seconds, 0));
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
  const rows = orders(count, plan.pacedRounds + WARM_ROUNDS);
  const begin_ms = Math.round(monotonic_ms() + CONNECT_MS);
  const loads: Load[] = [];
  try {
    for (const [index, { server, response }] of sides.entries()) {
      const places = placesOf(index, rows);
      const turns: Turns = { rate, begin_ms, slot_ms, active_ms: plan.active_ms, count, places };
      loads.push(new Load(server, response, size.file, size.connections, turns));
    }
    const before: Counters[] = [];
    let ticks = readTicks();
    for (const [round, row] of rows.entries()) {
      for (const [place, at] of row.entries()) {
        const [load, side] = [loads[at], sides[at]];
        if (!load || !side) continue;
        await sleep(Math.max(0, begin_ms + (round * count + place + 1) * slot_ms - monotonic_ms()));
        const [now, ticksNow] = [load.read(), readTicks()];
        const last = before[at];
        const others = last ? takenBy(ticks, ticksNow, last, now) : 0;
        before[at] = now;
        ticks = ticksNow;
        if (last && round >= WARM_ROUNDS)
          side.result.paced.push(between(last, now, plan.active_ms / 1000, others));
      }
    }
    await settle(sides, loads, size);
  } finally {
    for (const load of loads) load.kill();
  }
}

/** The loads end, and each server is asked once more: who was found out has no figures. */
async function settle(sides: readonly Side[], loads: readonly Load[], size: Size): Promise<void> {
  for (const [at, { server, response, result }] of sides.entries()) {
    result.fault ??= (await loads[at]?.end()) ?? null;
    const again = await ask(server.port, size.file).catch(() => null);
    if (again?.sha256 !== response.sha256) result.fault ??= "it answered differently after the load";
  }
}

const between = (before: Counters, after: Counters, seconds: number, taken: number): Slice => ({
  requests: after.requests - before.requests,
  seconds,
  cpu_us: after.cpu_us - before.cpu_us,
  tool_us: after.tool_us - before.tool_us,
  taken,
});

function takenBy(before: Ticks | null, after: Ticks | null, last: Counters, now: Counters): number {
  const own_us = now.cpu_us - last.cpu_us + now.tool_us - last.tool_us;
  return before && after ? taken(before, after, (own_us / 1e6) * TICKS_PER_S) : 0;
}

const monotonic_ms = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

function wrong(name: string, response: ProbeResponse, hash: string): string | null {
  if (response.status !== 200) return `it answered ${response.status}`;
  // The null server's bytes are its own.
  return name === "null" || response.sha256 === hash ? null : "it sent other bytes than the file's";
}

function mean(slices: readonly Slice[]): number {
  const requests = slices.reduce((sum, slice) => sum + slice.requests, 0);
  const seconds = slices.reduce((sum, slice) => sum + slice.seconds, 0);
  const rate = requests / seconds;
  if (!(rate > 0))
    throw new Disturbed("The reference server answered nothing, so there is no rate to offer.");
  return rate;
}
