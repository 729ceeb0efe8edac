import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { paths } from "../paths";
import { CommandError, say } from "../say";
import {
  issueKey,
  listHomeHosts,
  queueHomeRun,
  type RunSpec,
  type RunView,
  readHost,
  readRun,
} from "../up/home";
import { attempt } from "./attempt";
import { atMost, type Figure, fact } from "./figure";
import { FreshRoot } from "./fresh-root";
import type { Stack } from "./stack";

const ONLINE_WITHIN_MS = 60_000;
const RUN_WITHIN_MS = 10 * 60_000;

const PROMISED: Figure[] = figures({});

/**
 * A Debian with nothing but curl in it: the line that the app shows, then the suite *A first look* with the servers that come
 * with the agent, an update in the middle of a run, and the removal.
 */
export const freshHost = (stack: Stack): Promise<Figure[]> => attempt(PROMISED, () => measure(stack));

interface Measured {
  verdict_s?: number | null;
  entries?: number | null;
  update_lost?: number | null;
  left_behind?: number | null;
}

function figures({
  verdict_s = null,
  entries = null,
  update_lost = null,
  left_behind = null,
}: Measured): Figure[] {
  return [
    atMost("line_to_result", verdict_s, "s", 180),
    fact("servers_measured", entries, ""),
    atMost("records_lost_by_an_update", update_lost, "", 0),
    atMost("files_left_behind", left_behind, "", 0),
  ];
}

async function measure(stack: Stack): Promise<Figure[]> {
  if (!existsSync(join(paths.release, "SHA256SUMS")))
    throw new CommandError("there is no release to install from: run ./rig release first.");
  const fresh = await FreshRoot.make(join(paths.state, "fresh"));
  try {
    const before = fresh.tree();
    const began = Date.now();
    const host = await install(stack, fresh);
    const first = await finished(
      stack,
      await queueHomeRun(stack.home, host, quick(await catalogueOf(stack, host))),
    );
    const verdict_s = (Date.now() - began) / 1000;
    say(
      `${((Date.now() - began) / 1000).toFixed(1)} s from the line to: ${first.summary?.sentence ?? first.state}`,
    );
    for (const label of first.labels ?? []) say(`  ${label.message}`);

    const second = await queueHomeRun(stack.home, host, quick(await catalogueOf(stack, host)));
    await until(
      "the second run measures",
      async () => (await readRun(stack.home, second))?.state === "measuring",
    );
    // As if what is installed were of another version.
    const update = `rm /usr/local/share/rigmark/installed && ${line(stack, "")}`;
    await fresh.run(update, { log: "fresh-update" });
    const updated = await finished(stack, second);
    const invalid = updated.trials.filter((trial) => trial.state === "invalid").length;
    say(
      `the run that was updated under: ${updated.state}, ${invalid} of ${updated.trials.length} trials do not count`,
    );

    await fresh.endAgent();
    await fresh.run("sh /usr/local/share/rigmark/install.sh --uninstall --purge --yes", {
      log: "fresh-uninstall",
    });
    const after = fresh.tree();
    const left = [...after].filter((path) => !before.has(path));
    for (const path of left.slice(0, 10)) say(`left behind: ${path}`);
    return figures({
      verdict_s: first.state === "succeeded" ? verdict_s : null,
      entries: first.entries.length,
      update_lost: updated.state === "succeeded" ? 0 : 1,
      left_behind: left.length,
    });
  } finally {
    await fresh.remove();
  }
}

const line = (stack: Stack, key: string): string =>
  `curl -fsSL ${stack.web.local}/install.sh | ${key && `RIGMARK_ENROLL_KEY=${key} `}sh -s -- --url ${stack.web.local} --yes`;

/** By the line; then the agent as the script says how to start it, since a chroot has no systemd. */
async function install(stack: Stack, fresh: FreshRoot): Promise<string> {
  const known = new Set((await listHomeHosts(stack.home)).map((host) => host.host_id));
  await fresh.run(line(stack, await issueKey(stack.home)), { log: "fresh-install" });
  await fresh.startAgent("RIGMARK_STATE=/var/lib/rigmark exec /usr/local/bin/rigmark agent");
  let found = "";
  await until(
    "the new host is online",
    async () => {
      const hosts = await listHomeHosts(stack.home);
      const host = hosts.find((one) => !known.has(one.host_id) && one.status === "online");
      found = host?.host_id ?? "";
      return found !== "" && (await readHost(stack.home, found))?.catalogue != null;
    },
    ONLINE_WITHIN_MS,
  );
  return found;
}

type Catalogue = NonNullable<NonNullable<Awaited<ReturnType<typeof readHost>>>["catalogue"]>;
async function catalogueOf(stack: Stack, hostId: string): Promise<Catalogue> {
  const catalogue = (await readHost(stack.home, hostId))?.catalogue;
  if (!catalogue) throw new CommandError("the new host has sent no catalogue.");
  return catalogue;
}

/** What the suite comes to on the host, as its button in the browser makes it. */
function quick(catalogue: Catalogue): RunSpec {
  const suite = catalogue.suites.find((one) => one.id === "quick");
  if (!suite) throw new CommandError("the new host has no suite quick.");
  const can = new Set(catalogue.servers.filter((one) => one.supported).map((one) => one.name));
  const does = new Set(catalogue.scenarios.filter((one) => one.supported).map((one) => one.scenario.id));
  return {
    schema: 1,
    title: suite.title,
    entries: suite.entries.filter((entry) => can.has(entry.server)),
    scenarios: suite.scenarios.filter((id) => does.has(id)),
    repeats: 5,
    duration_s: 0.8,
    warmup_s: 0.2,
    baseline: suite.baseline,
    seed: 1,
    suite: suite.id,
    slice_s: null,
    precision: null,
    max_repeats: null,
  };
}

async function finished(stack: Stack, runId: string): Promise<RunView> {
  let run: RunView | null = null;
  await until(
    "the run ends",
    async () => {
      run = await readRun(stack.home, runId);
      return run?.final === true;
    },
    RUN_WITHIN_MS,
  );
  if (!run) throw new CommandError("the run is gone.");
  return run;
}

async function until(what: string, is: () => Promise<boolean>, within_ms = RUN_WITHIN_MS): Promise<void> {
  for (const end = Date.now() + within_ms; Date.now() < end; await sleep(250)) if (await is()) return;
  throw new CommandError(`${what}: not within ${within_ms / 1000} s.`);
}
