import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@rigmark/db/embedded";
import { childEnv } from "../exec";
import { whenInterrupted } from "../interrupt";
import { paths } from "../paths";
import { CommandError } from "../say";
import { agentEnv } from "../up/agent";
import { readLogs } from "../up/home";
import { attempt } from "./attempt";
import { atLeast, atMost, type Figure, fact, unmeasured } from "./figure";
import { lowerBound } from "./lower-bound";
import { measured } from "./measured";
import { ratiosOfPairs } from "./pairs";
import { cpusAllowed, type Process } from "./procfs";
import { ended, queueRun } from "./runs";
import type { Stack } from "./stack";

const CPU_WINDOW_S = 40;
/** Pairs differ by 4 to 7 % on a shared machine: this many bring the bound within 1 % of the mean. */
const PAIRS = 180;
/** Two slices a pair, the settling ones, and time to start the other side. */
const RUN_S = PAIRS + 15;

/** What measuring costs: the agent's own processor time, and what it takes from the throughput of what it measures. */
export async function overhead(stack: Stack): Promise<Figure[]> {
  if (process.platform !== "linux")
    return unmeasured([cpuShare(null), ratioAbove(null)], "Only /proc is read, and this is not Linux.");
  return [
    ...(await attempt([cpuShare(null)], () => agentCpu(stack))),
    ...(await attempt([ratioAbove(null)], () => throughput(stack), { needs_ms: RUN_S * 1000 })),
  ];
}

const cpuShare = (percent: number | null): Figure => atMost("agent_cpu", percent, "% of a core", 0.5);
const ratioAbove = (bound: number | null): Figure =>
  atLeast("throughput_ratio_lower_bound", bound, "", 0.98, "one-sided 95 % bound ");

/** What the agent that serves the app says of itself, by getrusage: sampling, journal and upload of measured windows. */
async function agentCpu(stack: Stack): Promise<Figure[]> {
  const run = await ended(stack.home, await queueRun(stack, "bench: agent's processor time", CPU_WINDOW_S));
  const said = (await readLogs(stack.home, run.run_id)).flatMap((line) => {
    const [, cpu, window] = /used (\d+) µs of CPU in the (\d+) µs/.exec(line) ?? [];
    return cpu && window ? [{ cpu: Number(cpu), window: Number(window) }] : [];
  });
  const window = said.reduce((sum, each) => sum + each.window, 0);
  const cpu = said.reduce((sum, each) => sum + each.cpu, 0);
  return [cpuShare(window > 0 ? (cpu / window) * 100 : null), fact("agent_cpu_window", window / 1e6, "s")];
}

/** The same server and tool, with the same arguments on the same cores, once under `rigmark run` and once bare. */
async function throughput(stack: Stack): Promise<Figure[]> {
  const args = [
    "run",
    "--server",
    "epoll",
    "--scenario",
    "static-1k-ab",
    "--repeats",
    "1",
    "--warmup",
    "1s",
    "--duration",
    `${RUN_S}s`,
  ];
  // A state of its own: the agent that serves the app keeps its lock.
  const state = join(paths.state, "local");
  const rigmark = spawn(stack.program, [...args, "--out", `${state}.jsonl`], {
    env: childEnv({ ...agentEnv(), RIGMARK_STATE: state }),
    stdio: "ignore",
  });
  const started: number[] = [];
  const clean = (): void => {
    for (const pid of [...started, rigmark.pid ?? 0]) if (pid > 1) continueAndKill(pid);
  };
  whenInterrupted(async () => clean());
  try {
    const { tool, server } = await measured(rigmark.pid ?? 0, RUN_S);
    const port = String(await freePort());
    const bareServer = bare(server, port);
    started.push(bareServer);
    await sleep(500);
    const bareTool = bare(tool, port);
    started.push(bareTool);
    await sleep(500);
    const under = { processes: [tool.pid, server.pid, rigmark.pid ?? 0], tool: tool.pid };
    const ratios = await ratiosOfPairs(under, { processes: [bareTool, bareServer], tool: bareTool }, PAIRS);
    const bound = lowerBound(ratios);
    return [
      ratioAbove(bound?.lower ?? null),
      fact("throughput_ratio", bound?.ratio ?? null, ""),
      fact("throughput_pairs", ratios.length, "pairs"),
      fact("throughput_pair_spread", bound ? bound.spread * 100 : null, "%"),
    ];
  } finally {
    clean();
  }
}

/** A copy of a process outside of the sandbox, listening and calling on another port, on the same cores. */
function bare(of: Process, port: string): number {
  const argv = of.argv.map((word, at) => {
    if (of.argv[at - 1] === "--port") return port;
    if (of.argv[at - 1] === "-e") return "/dev/null";
    return word.replace(/^http:\/\/127\.0\.0\.1:\d+\//, `http://127.0.0.1:${port}/`);
  });
  const child = spawn("taskset", ["-c", cpusAllowed(of.pid), ...argv], { stdio: "ignore" });
  child.once("error", () => undefined);
  if (!child.pid)
    throw new CommandError(
      "taskset is not here (package util-linux), so the bare side cannot be put on the same cores.",
    );
  return child.pid;
}

function continueAndKill(pid: number): void {
  for (const name of ["SIGCONT", "SIGTERM"] as const) {
    try {
      process.kill(pid, name);
    } catch {
      return;
    }
  }
}
