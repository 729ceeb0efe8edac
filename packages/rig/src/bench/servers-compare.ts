import { CommandError, say } from "../say";
import { type Answer, ask } from "./servers-ask";
import { Load, type Slice } from "./servers-load";
import { type Contender, type Running, start } from "./servers-start";

export interface Size {
  file: string;
  /** wrk's; many small requests at once, few large ones. */
  connections: number;
}

/** What one server did in each round; null where it has been found out. */
export interface Result {
  name: string;
  closed: Slice[];
  paced: Slice[];
  /** Why its figures do not count. */
  fault: string | null;
}

export interface Comparison {
  rate: number;
  results: Result[];
}

export interface Plan {
  closedRounds: number;
  pacedRounds: number;
  slice_ms: number;
}

const WARM_MS = 250;

/**
 * All servers alive at once, one of them loaded at a time. Rounds are mirrored (A B C, C B A, …), so that each two
 * servers are measured as ABBA, and what drifts on the machine drifts for both. Closed loop first; half of what
 * `reference` managed is then the rate that is offered to all.
 */
export async function compare(
  contenders: readonly Contender[],
  reference: string,
  size: Size,
  hash: string,
  plan: Plan,
  log: number,
): Promise<Comparison> {
  const running: Running[] = [];
  try {
    for (const each of contenders) running.push(await start(each, size.file, log));
    const answers = new Map<string, Answer>();
    const results: Result[] = [];
    for (const server of running) {
      const answer = await ask(server.port, size.file);
      answers.set(server.name, answer);
      results.push({ name: server.name, closed: [], paced: [], fault: wrong(server.name, answer, hash) });
    }
    const sides = running.map((server, at) => ({
      server,
      answer: answers.get(server.name) as Answer,
      result: results[at] as Result,
    }));
    await rounds(sides, size, 0, plan.closedRounds, plan.slice_ms, "closed");
    const rate = half(results.find((r) => r.name === reference)?.closed ?? []);
    await rounds(sides, size, rate, plan.pacedRounds, plan.slice_ms, "paced");
    return { rate, results };
  } finally {
    for (const { child } of running) child.kill("SIGTERM");
  }
}

interface SideOf {
  server: Running;
  answer: Answer;
  result: Result;
}

async function rounds(
  sides: readonly SideOf[],
  size: Size,
  rate: number,
  count: number,
  slice_ms: number,
  into: "closed" | "paced",
): Promise<void> {
  const loads: { load: Load; result: Result }[] = [];
  try {
    for (const { server, answer, result } of sides) {
      const load = Load.begin(server, answer, size.file, size.connections, rate);
      loads.push({ load, result });
      await load.warm(WARM_MS);
    }
    for (let round = 0; round < count; round += 1) {
      for (const { load, result } of round % 2 === 0 ? loads : loads.toReversed()) {
        result[into].push(await load.slice(slice_ms));
      }
    }
    for (const { load, result } of loads) result.fault ??= await load.end();
    for (const { server, answer, result } of sides) {
      const again = await ask(server.port, size.file).catch(() => null);
      if (again?.sha256 !== answer.sha256) result.fault ??= "it answered differently after the load";
    }
  } finally {
    for (const { load } of loads) load.kill();
  }
}

function wrong(name: string, answer: Answer, hash: string): string | null {
  if (answer.status !== 200) return `it answered ${answer.status}`;
  // The null server's bytes are its own.
  return name === "null" || answer.sha256 === hash ? null : "it sent other bytes than the file's";
}

function half(slices: readonly Slice[]): number {
  const requests = slices.reduce((sum, s) => sum + s.requests, 0);
  const seconds = slices.reduce((sum, s) => sum + s.seconds, 0);
  const rate = Math.round(requests / seconds / 2);
  if (!(rate > 0))
    throw new CommandError("the reference server answered nothing, so there is no rate to offer.");
  say(`servers: offered rate ${rate} requests/s`);
  return rate;
}
