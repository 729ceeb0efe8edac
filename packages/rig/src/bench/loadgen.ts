import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { buildAgent } from "../build/agent";
import { logPath } from "../exec";
import { whenInterrupted } from "../interrupt";
import { say } from "../say";
import { atLeast, atMost, type Figure, fact } from "./figure";
import { generate, type Job, type ToolResult, wrk } from "./loadgen-run";
import { observe } from "./loadgen-watch";
import { lowerBound } from "./lower-bound";
import { bundled, start } from "./servers-start";

/** Not one of the trial's own files: no more than its length is known, as to wrk. */
const FILE = "bench.bin";
const BYTES = 1024;
const CONNECTIONS = 64;
const PAIRS = 24;
const SLICE_S = 1;
const RATE = 20_000;
const RATE_RUNS = 7;
const RATE_S = 2;
const AGREES = 0.1;
/** A tenth of what is above the percentile. */
const LATE = 0.001;

/** What the agent's own generator costs beside wrk, and whether its p99 is what the kernel saw on the loopback. */
export async function loadgen(): Promise<Figure[]> {
  if (process.platform !== "linux" || cpus().length < 2) {
    say("loadgen: needs Linux and two cores, one for the server and one for the tool");
    return figures([], []);
  }
  const agent = await buildAgent();
  const scratch = mkdtempSync(join(tmpdir(), "rig-bench-loadgen-"));
  whenInterrupted(async () => rmSync(scratch, { recursive: true, force: true }));
  const root = join(scratch, "root");
  mkdirSync(root);
  writeFileSync(join(root, FILE), Buffer.alloc(BYTES, "x"));
  const server = await start(
    await bundled("epoll", scratch, root),
    FILE,
    openSync(logPath("bench-loadgen"), "w", 0o600),
  );
  try {
    const job = (load: Job["load"], duration_s: number): Job => ({
      port: server.port,
      path: `/${FILE}`,
      bytes: BYTES,
      duration_s,
      load,
    });
    const ratios: number[] = [];
    const closed = job({ kind: "closed", connections: CONNECTIONS, keep_alive: true }, SLICE_S);
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const turns = [() => generate(agent, scratch, closed), () => wrk(closed)];
      if (pair % 2 === 1) turns.reverse();
      const results: ToolResult[] = [];
      for (const turn of turns) results.push(await turn());
      if (pair % 2 === 1) results.reverse();
      const [own, others] = results;
      if (own && others) ratios.push(own.requests / own.cpu_s / (others.requests / others.cpu_s));
    }
    const rate = job({ kind: "rate", rate_per_s: RATE, connections: CONNECTIONS, keep_alive: true }, RATE_S);
    const seen: Seen[] = [];
    for (let run = 0; run < RATE_RUNS; run += 1) {
      const observed = await observe(server.port, RATE, () => generate(agent, scratch, rate));
      if (!observed) break;
      // Where more were late, nobody's p99 counts: the tool did not have its core to itself.
      if (observed.result.dropped > LATE * RATE * RATE_S) {
        say(
          `loadgen: ${observed.result.dropped} of ${RATE * RATE_S} requests left late; this run is not compared`,
        );
        continue;
      }
      seen.push({
        own: observed.result.p99_us ?? Number.NaN,
        lo: observed.p99_us,
        left: observed.left_p99_us,
        late: observed.result.dropped,
      });
    }
    return figures(ratios, seen);
  } finally {
    server.child.kill("SIGTERM");
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Seen {
  own: number;
  /** From the same moments as the tool's: when each request was meant to leave. */
  lo: number;
  /** From when it left. */
  left: number | null;
  late: number;
}

function figures(ratios: number[], seen: Seen[]): Figure[] {
  const bound = lowerBound(ratios);
  // The run in the middle by how far the two were apart: one stall of the machine is not the tool's.
  const sorted = [...seen].sort((a, b) => a.own / a.lo - b.own / b.lo);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const apart = middle ? Math.abs(middle.own / middle.lo - 1) : null;
  return [
    atLeast("loadgen_requests_per_cpu_s_vs_wrk_lower95", bound?.lower ?? null, "", 1),
    fact("loadgen_requests_per_cpu_s_vs_wrk", bound?.ratio ?? null, ""),
    fact("loadgen_pairs", ratios.length, "pairs"),
    atMost("loadgen_p99_apart_from_loopback", apart, "", AGREES),
    fact("loadgen_rate_runs_compared", seen.length, "runs"),
    fact("loadgen_p99_us", middle?.own ?? null, "µs"),
    fact("loopback_p99_us", middle?.lo ?? null, "µs"),
    fact("loopback_p99_since_leaving_us", middle?.left ?? null, "µs"),
    fact("loadgen_late_or_dropped", middle?.late ?? null, "requests"),
  ];
}
