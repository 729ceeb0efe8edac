import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../say";
import { type Home, queueHomeRun, type RunView, readRun } from "../up/home";
import { Disturbed } from "./attempt";
import type { Stack } from "./stack";

/** The server and the scenario that benches use: small, and always there on Linux. */
const SERVERS = ["epoll", "libuv", "nginx"];
const SCENARIO = "static-1k-ab";
/** A fixed rate that leaves most of the host free: app, agent and viewers are all on this machine. */
export const LIGHT_SCENARIO = "files-1k-cpu";
/** What the agent says of a run none of whose trials counts. */
const NO_VALID_TRIAL = "no-valid-trial";

export async function queueRun(
  stack: Stack,
  title: string,
  duration_s: number,
  warmup_s = 0,
  scenario: string = SCENARIO,
): Promise<string> {
  const can = stack.host.catalogue?.servers.filter((s) => s.supported).map((s) => s.name) ?? [];
  const server = SERVERS.find((name) => can.includes(name));
  if (!server) throw new CommandError("no server can be built here, so there is nothing to measure with.");
  return queueHomeRun(stack.home, stack.host.host_id, {
    schema: 1,
    title,
    entries: [{ label: server, server, options: {} }],
    scenarios: [scenario],
    repeats: 1,
    duration_s,
    warmup_s,
    baseline: null,
    seed: randomInt(2 ** 47),
    suite: null,
    slice_s: null,
    precision: null,
    max_repeats: null,
  });
}

/** Waits until `enough` says so, asking often. */
export async function until(
  home: Home,
  runId: string,
  enough: (run: RunView) => boolean,
  patience_ms = 180_000,
): Promise<RunView> {
  for (const end = Date.now() + patience_ms; Date.now() < end; await sleep(100)) {
    const run = await readRun(home, runId);
    if (run && enough(run)) return run;
    if (run?.final) throw unfit(run);
  }
  throw new Disturbed(`A run did not get on within ${patience_ms / 1000} s; the logs are in .rig/bench/log.`);
}

/** Measured to its end, whether or not its trials count: what a run took is the same either way. */
export async function ended(home: Home, runId: string, patience_ms?: number): Promise<RunView> {
  const run = await until(home, runId, (r) => r.final, patience_ms);
  if (run.state !== "succeeded" && run.error?.code !== NO_VALID_TRIAL) throw unfit(run);
  return run;
}

/** With trials that count. */
export async function finished(home: Home, runId: string, patience_ms?: number): Promise<RunView> {
  const run = await until(home, runId, (r) => r.final, patience_ms);
  if (run.state !== "succeeded") throw unfit(run);
  return run;
}

/** The host's doing where the run was measured and nothing of it counts, or where it was lost on its way. */
function unfit(run: RunView): CommandError {
  const what = `A run ${run.state}: ${run.error?.message ?? "without a reason."}`;
  const hosts = run.state !== "failed" || run.error?.code === NO_VALID_TRIAL;
  return hosts ? new Disturbed(what) : new CommandError(what);
}
