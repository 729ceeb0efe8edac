import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { capture, childEnv, logPath } from "../exec";
import { whenInterrupted } from "../interrupt";
import { paths } from "../paths";
import { CommandError, say, seconds } from "../say";
import { agentEnv } from "../up/agent";
import { issueKey, queueHomeRun, readHost } from "../up/home";
import { readFirstSession } from "./anchor";
import { attempt, Disturbed } from "./attempt";
import { Cgroup } from "./cgroup";
import { atMost, type Figure, fact, quantile } from "./figure";
import { MemoryByRole } from "./memory-by-role";
import { bytesWritten, rssMib } from "./procfs";
import { eachTool, quickSuite } from "./quick-suite";
import { ended, finished } from "./runs";
import type { Stack } from "./stack";
import { waitFor } from "./wait-for";

/** The cores of the board. How fast one of a Pi is against one of this machine is unknown; a quarter is a slow one. */
const CORES = 2;
const SHARE = 0.25;
/** Short, so that slow cores are slow all the time and do not stand still for a while. */
const PERIOD_US = 10_000;
const MEMORY_BYTES = 2 ** 30;

const STARTS = 20;
const SETTLE_MS = 10_000;
const IDLE_MS = 60_000;
const LOOK_EVERY_MS = 100;
const ONLINE_WITHIN_MS = 60_000;
/** The suite takes about two minutes on a fast host, and its servers are built first. */
const PATIENCE_MS = 900_000;
const TOOLS_MS = 150_000;

/**
 * A host as a small board is one: 1 GiB of memory and two slow cores, for the agent, its verification, its tools and the
 * servers together. The app is outside of it, as it is for a Pi.
 */
export const smallHost = (stack: Stack): Promise<Figure[]> => attempt(figures(null), () => measure(stack));

interface Measured {
  version_ms: number | null;
  connected_ms: number;
  /** Processor time from the start until the app knows what works on the host. */
  look_ms: number | null;
  idle_rss_mib: number;
  idle_cpu_percent: number;
  memory: MemoryByRole;
  group_peak_mib: number | null;
  out_of_memory: number | null;
  verdict_s: number;
  /** By the agent and what it started. */
  written_mib: number;
}

const figures = (measured: Measured | null): Figure[] => {
  const most = measured?.memory.most;
  return [
    atMost("agent_verification_tools", measured?.memory.mostBesideServers ?? null, "MiB", 200),
    fact("agent", most?.agent ?? null, "MiB"),
    fact("verification", most?.verification ?? null, "MiB"),
    fact("tools", most?.tools ?? null, "MiB"),
    ...[...(measured?.memory.mostOfTool ?? [])].map(([tool, mib]) => fact(`tool_${tool}`, mib, "MiB")),
    fact("servers", most?.servers ?? null, "MiB"),
    fact("builds", most?.builds ?? null, "MiB"),
    fact("whole_host", measured?.group_peak_mib ?? null, "MiB"),
    atMost("ended_for_memory", measured?.out_of_memory ?? null, "processes", 0),
    fact("queue_to_verdict", measured?.verdict_s ?? null, "s"),
    fact("written", measured?.written_mib ?? null, "MiB"),
    atMost("idle_agent_rss", measured?.idle_rss_mib ?? null, "MiB", 10),
    atMost("idle_agent_cpu", measured?.idle_cpu_percent ?? null, "% of a core", 0.1),
    atMost("agent_start", measured?.version_ms ?? null, "ms", 50, "median "),
    fact("agent_connected", measured?.connected_ms ?? null, "ms"),
    fact("look_at_host_cpu", measured?.look_ms ?? null, "ms"),
  ];
};

async function measure(stack: Stack): Promise<Figure[]> {
  const cores = Math.min(CORES, cpus().length);
  const quota_us = Math.round(PERIOD_US * SHARE * cores);
  const limits = { memory_bytes: MEMORY_BYTES, quota_us, period_us: PERIOD_US };
  const group = Cgroup.make(`rigmark-small-host-${process.pid}`, limits);
  let agent: ChildProcess | null = null;
  const end = async () => {
    await endAgent(agent);
    await group.remove();
  };
  whenInterrupted(end);
  try {
    say(`  1 GiB and ${cores} cores, ${SHARE * 100} % of each (${quota_us} of ${PERIOD_US} µs together)`);
    const version_ms = await versionMs(group, stack.program);
    await enroll(stack, group);
    const before = group.cpuUs();
    const began = Date.now();
    agent = await startAgent(stack, group);
    const { host_id, connected_ms, catalogue } = await online(stack, began);
    await sleep(SETTLE_MS);
    const look = group.cpuUs();
    const idle = await idleUse(group, agent);

    const memory = new MemoryByRole();
    const pid = agent.pid ?? 0;
    const written = bytesWritten(pid);
    const watch = setInterval(() => memory.look(group.pids()), LOOK_EVERY_MS);
    try {
      const queued = Date.now();
      const run = await finished(
        stack.home,
        await queueHomeRun(stack.home, host_id, quickSuite(catalogue)),
        PATIENCE_MS,
      );
      const took_ms = Date.now() - queued;
      const written_mib = (bytesWritten(pid) - written) / 2 ** 20;
      say(`  ${seconds(took_ms)} from the queue to: ${run.summary?.sentence ?? "nothing."}`);
      for (const label of run.labels) say(`  ${label.message}`);
      // The suite has the two smallest tools. What it showed stays where others measure on this machine meanwhile.
      await queueHomeRun(stack.home, host_id, eachTool(catalogue))
        .then((id) => ended(stack.home, id, TOOLS_MS))
        .catch((error: Error) => say(`  not every tool was measured: ${error.message}`));
      const peak = group.peakBytes();
      return figures({
        version_ms,
        connected_ms,
        look_ms: before === null || look === null ? null : (look - before) / 1000,
        ...idle,
        memory,
        group_peak_mib: peak === null ? null : peak / 2 ** 20,
        out_of_memory: group.outOfMemory(),
        verdict_s: took_ms / 1000,
        written_mib,
      });
    } finally {
      clearInterval(watch);
    }
  } finally {
    await end();
  }
}

/** The command within the limits, on no more cores than the board has. */
const onBoard = (group: Cgroup, command: readonly string[]): [string, string[]] =>
  group.argv(["taskset", "-c", `0-${Math.min(CORES, cpus().length) - 1}`, ...command]);

const state = (): string => join(paths.state, "small-host");
const hostEnv = () => ({ ...agentEnv(), RIGMARK_STATE: state() });

/** From the moment that a shell in the group is told to start the program to the first byte that the program says. */
async function versionMs(group: Cgroup, program: string): Promise<number | null> {
  const [command, args] = onBoard(group, [
    "sh",
    "-c",
    'while read -r _; do "$1" --version; done',
    "sh",
    program,
  ]);
  const shell = spawn(command, args, { env: childEnv(hostEnv()), stdio: ["pipe", "pipe", "ignore"] });
  shell.once("error", () => undefined);
  const gone = new Promise<null>((resolve) => shell.once("close", () => resolve(null)));
  const took: number[] = [];
  try {
    // The first one reads the program from the disk, as a board does once.
    for (let i = 0; i <= STARTS; i += 1) {
      const said = new Promise<number>((resolve) =>
        shell.stdout.once("data", () => resolve(performance.now())),
      );
      const began = performance.now();
      shell.stdin.write("\n");
      const at = await Promise.race([said, gone]);
      if (at === null) throw new CommandError("a shell in the control group ended at once.");
      if (i > 0) took.push(at - began);
      await sleep(100);
    }
  } finally {
    shell.stdin.end();
    await gone;
  }
  return quantile(took, 0.5);
}

async function enroll(stack: Stack, group: Cgroup): Promise<void> {
  const [command, args] = onBoard(group, [stack.program, "enroll", "--url", stack.web.local]);
  const done = await capture(command, args, {
    env: { ...hostEnv(), RIGMARK_ENROLL_KEY: await issueKey(stack.home) },
  });
  if (done.code !== 0) throw new CommandError(`the small host could not be enrolled: ${done.stderr.trim()}`);
}

async function startAgent(stack: Stack, group: Cgroup): Promise<ChildProcess> {
  const [command, args] = onBoard(group, [stack.program, "agent"]);
  const log = openSync(logPath("small-host"), "w", 0o600);
  const agent = spawn(command, args, {
    cwd: paths.root,
    env: childEnv(hostEnv()),
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    agent.once("spawn", resolve);
    agent.once("error", reject);
  });
  return agent;
}

async function endAgent(agent: ChildProcess | null): Promise<void> {
  if (!agent || agent.exitCode !== null || agent.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => void agent.once("exit", () => resolve()));
  agent.kill("SIGTERM");
  await gone;
}

/** Once it has said what works there. Connected is when the app gave it a session; the app's clock is this machine's. */
async function online(stack: Stack, began: number) {
  const { host_id } = JSON.parse(readFileSync(join(state(), "identity.json"), "utf8")) as { host_id: string };
  return waitFor("The small host's agent", ONLINE_WITHIN_MS, async () => {
    const catalogue = (await readHost(stack.home, host_id))?.catalogue;
    const session = catalogue && (await readFirstSession(stack.databaseUrl, host_id));
    return catalogue && session ? { host_id, catalogue, connected_ms: session - began } : null;
  });
}

/** Of an agent that waits for work: its largest memory, and the processor time of all that it does. */
async function idleUse(group: Cgroup, agent: ChildProcess) {
  const before = group.cpuUs();
  const began = performance.now();
  let most = 0;
  for (; performance.now() - began < IDLE_MS; await sleep(500)) most = Math.max(most, rssMib(agent.pid ?? 0));
  const after = group.cpuUs();
  const wall_us = (performance.now() - began) * 1000;
  if (!(most > 0) || before === null || after === null) throw new Disturbed("The agent was not running.");
  return { idle_rss_mib: most, idle_cpu_percent: ((after - before) / wall_us) * 100 };
}
