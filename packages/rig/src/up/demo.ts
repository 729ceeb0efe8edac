import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, say } from "../say";
import { isAlive } from "../services/service";
import { readState, remember } from "../state";
import { createReport, createRun, type Home, type HostView, type RunView, readRun } from "./home";

export interface Demo {
  run_id: string;
  report_url: string;
}

const WANTED = ["nginx", "epoll", "io-uring", "libuv"];
const ENTRIES = 3;
const SCENARIOS = ["static-1k-ab", "static-1k-autocannon", "static-1k-k6"];
const REPEATS = 5;
const DURATION_S = 2;
const WARMUP_S = 0.5;
/** Builds of servers come before the plan, and may take a while on a Pi. */
const SPARE_MS = 15 * 60_000;

/** One short real comparison and its report; the same one each time, until its report is revoked. */
export async function demo(home: Home, host: HostView): Promise<Demo | null> {
  const { demo: last } = readState();
  const kept = last ? await keptReport(home, last.run_id) : null;
  if (last && kept) return { run_id: last.run_id, report_url: kept };
  const runId = (await unfinished(home, last?.run_id)) ?? (await queue(home, host));
  if (!runId) return null;
  const run = await waitFinal(home, runId);
  if (run.state !== "succeeded") {
    throw new CommandError(
      `the first run ${run.state}: ${run.error?.message ?? "its page tells more"}. Everything is running; ./rig up tries again.`,
    );
  }
  const report_url = await createReport(home, runId);
  return { run_id: runId, report_url };
}

/** The run's report at today's address, unless it was revoked. */
async function keptReport(home: Home, runId: string): Promise<string | null> {
  const run = await readRun(home, runId);
  return run?.reports.find((r) => !r.revoked)?.url ?? null;
}

/** A run that an interrupted `up` left behind, unless it went wrong. */
async function unfinished(home: Home, runId: string | undefined): Promise<string | null> {
  const run = runId ? await readRun(home, runId) : null;
  return run && (!run.final || run.state === "succeeded") ? run.run_id : null;
}

async function queue(home: Home, host: HostView): Promise<string | null> {
  const can = new Set(host.catalogue?.servers.filter((s) => s.supported).map((s) => s.name));
  const does = new Set(host.catalogue?.scenarios.filter((s) => s.supported).map((s) => s.scenario.id));
  const servers = WANTED.filter((name) => can.has(name)).slice(0, ENTRIES);
  const scenario = SCENARIOS.find((id) => does.has(id));
  if (servers.length === 0 || !scenario) {
    const why = host.catalogue?.scenarios.find((s) => s.scenario.id === SCENARIOS[0]);
    say(
      `no first comparison: ${servers.length === 0 ? "no server can be built here" : (why?.reason ?? "no load tool is here")}`,
    );
    return null;
  }
  const run_id = await createRun(home, host.host_id, {
    schema: 1,
    title: "First comparison",
    entries: servers.map((server) => ({ label: server, server, options: {} })),
    scenarios: [scenario],
    repeats: REPEATS,
    duration_s: DURATION_S,
    warmup_s: WARMUP_S,
    baseline: servers[0] ?? null,
    seed: randomInt(2 ** 47),
    suite: null,
    slice_s: null,
    precision: null,
    max_repeats: null,
  });
  remember({ demo: { run_id } });
  say(`measuring ${servers.join(", ")} with ${scenario}, ${REPEATS} times ${DURATION_S} s each`);
  return run_id;
}

async function waitFinal(home: Home, runId: string): Promise<RunView> {
  let said = "";
  const until = Date.now() + SPARE_MS;
  for (;;) {
    const run = await readRun(home, runId);
    if (!run) throw new CommandError("the first run has disappeared from the database.");
    if (run.final) return run;
    const { agent } = readState();
    if (!isAlive(agent))
      throw new CommandError(
        `the agent ended in the middle of the first run; its log is ${agent?.log}. ./rig up carries on.`,
      );
    if (Date.now() > until)
      throw new CommandError(`the first run does not end (${run.state}); the agent's log is ${agent?.log}.`);
    const now = progress(run);
    if (now !== said) say(now);
    said = now;
    await sleep(500);
  }
}

function progress(run: RunView): string {
  const done = run.trials.filter((t) => t.state !== "planned" && t.state !== "running").length;
  if (run.trials.length === 0) return `first run: ${run.current?.phase ?? run.state}`;
  return `first run: ${done} of ${run.trials.length} trials`;
}
