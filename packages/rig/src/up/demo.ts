import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, say } from "../say";
import { isAlive } from "../services/service";
import { readState, remember } from "../state";
import { type Home, type HostView, publishRun, queueHomeRun, type RunView, readRun } from "./home";

export interface Demo {
  run_id: string;
  report_url: string;
  /** What the report says first: the verdict, or why there is none. */
  sentence: string;
  /** Of each entry but the baseline; null where none stands. */
  verdicts: { entry: string; verdict: string | null; sentence: string }[];
}

const WANTED = ["nginx", "epoll", "io-uring", "libuv"];
const ENTRIES = 3;
/** Processor time a request is a verdict also where the tool is the limit, as on two cores; loadgen comes with the agent. */
const SCENARIOS = ["files-1k-cpu", "static-1k-ab", "static-1k-autocannon"];
const REPEATS = 5;
/** It ends as soon as every verdict is settled. */
const PRECISION = 0.05;
const MAX_REPEATS = 15;
const DURATION_S = 2;
const WARMUP_S = 0.5;
/** Builds of servers come before the plan, and may take a while on a Pi. */
const SPARE_MS = 15 * 60_000;

/**
 * One short real comparison and its report; the same one each time, until its report is revoked. Null where there is none:
 * that is said, and no reason to end what runs.
 */
export async function demo(home: Home, host: HostView): Promise<Demo | null> {
  const { demo: last } = readState();
  const kept = last ? await readRun(home, last.run_id) : null;
  const report = kept?.reports.find((r) => !r.revoked);
  // The address is today's.
  if (kept && report) return { run_id: kept.run_id, report_url: report.url, ...verdictsOf(kept) };
  const runId = (await unfinished(home, last?.run_id)) ?? (await queue(home, host));
  if (!runId) return null;
  const run = await waitFinal(home, runId);
  if (!run) return null;
  if (run.state !== "succeeded") {
    const why = run.error?.message.replace(/\.$/, "") ?? "its page tells more";
    say(`the first run ${run.state}: ${why}. Everything is running; the next ./rig up tries again.`);
    return null;
  }
  const report_url = await publishRun(home, runId);
  return { run_id: runId, report_url, ...verdictsOf(run) };
}

/** As the report has them; nothing is decided here. */
function verdictsOf({ summary, entries: planned }: RunView): Pick<Demo, "sentence" | "verdicts"> {
  const entries = summary?.scenarios.flatMap((scenario) => scenario.entries) ?? [];
  return {
    sentence: summary?.sentence ?? "Nothing was measured.",
    verdicts: planned
      .filter((entry) => !entry.baseline)
      .map(({ key, label }) => {
        const found = entries.find((e) => e.entry_key === key);
        return { entry: label, verdict: found?.verdict ?? null, sentence: found?.sentence ?? "" };
      }),
  };
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
  const run_id = await queueHomeRun(home, host.host_id, {
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
    precision: PRECISION,
    max_repeats: MAX_REPEATS,
  });
  remember({ demo: { run_id } });
  say(
    `measuring ${servers.join(", ")} with ${scenario}: ${REPEATS} blocks or more of ${DURATION_S} s each, until the verdicts are clear`,
  );
  return run_id;
}

/** Null, and it is said why, where it does not end. */
async function waitFinal(home: Home, runId: string): Promise<RunView | null> {
  let said = "";
  const until = Date.now() + SPARE_MS;
  for (;;) {
    const run = await readRun(home, runId);
    if (!run) {
      say("the first run has disappeared from the database; the next ./rig up tries again.");
      return null;
    }
    if (run.final) return run;
    const { agent } = readState();
    if (!isAlive(agent))
      throw new CommandError(
        `the agent ended in the middle of the first run; its log is ${agent?.log}. ./rig up carries on.`,
      );
    if (Date.now() > until) {
      say(
        `the first run does not end (${run.state}); the agent's log is ${agent?.log}. The next ./rig up waits for it.`,
      );
      return null;
    }
    const now = progress(run);
    if (now !== said) say(now);
    said = now;
    // What reads the run here takes its time from what is measured here.
    await sleep(3000);
  }
}

function progress(run: RunView): string {
  const done = run.trials.filter((t) => t.state !== "planned" && t.state !== "running").length;
  if (run.trials.length === 0) return `first run: ${run.current?.phase ?? run.state}`;
  return `first run: ${done} of ${run.trials.length} trials`;
}
