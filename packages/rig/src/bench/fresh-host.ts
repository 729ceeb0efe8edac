import { existsSync } from "node:fs";
import { join } from "node:path";
import { paths } from "../paths";
import { CommandError, say, seconds } from "../say";
import { issueKey, listHomeHosts, queueHomeRun, type RunSpec, type RunView, readHost } from "../up/home";
import { attempt, Disturbed } from "./attempt";
import { atLeast, atMost, type Figure, fact } from "./figure";
import { type DebianArch, difference, FreshRoot } from "./fresh-root";
import { quickSuite } from "./quick-suite";
import { finished, until } from "./runs";
import { keyOfRelease, serveSecondRelease } from "./second-release";
import type { Stack } from "./stack";
import { waitFor } from "./wait-for";

/** qemu included. */
const ONLINE_WITHIN_MS = 180_000;
const OF_K6 = "static-1k-k6";
/** qemu takes ten times as long as the machine itself. */
const PATIENCE_MS = 1_200_000;

/**
 * A Debian with nothing but curl in it: the line that the app shows, then the suite *A first look* with the servers that come
 * with the agent, an update in the middle of a run, to a release whose scripts for load tools do not work, and the removal.
 */
export const freshHost = (stack: Stack): Promise<Figure[]> =>
  attempt(figures(), async () => figures(await measure(stack, process.arch === "arm64" ? "arm64" : "amd64")));

/** The same with the agent and the servers of a Raspberry Pi. On x86-64 qemu runs them, so no time is promised. */
export const freshHostArm64 = (stack: Stack): Promise<Figure[]> =>
  attempt(foreignFigures(), async () => foreignFigures(await measure(stack, "arm64")));

interface Measured {
  line_to_result_s: number;
  servers: number;
  /** Of these, how many the agent's labels say came prebuilt. */
  prebuilt: number;
  /**
   * The run that was updated under ended well, and each server that the first run could measure has all its results: the
   * load tool read the scripts of its own release. Others cannot start on this host: qemu, say, has no io_uring.
   */
  survived: boolean;
  /** Paths that the removal left, took away, or left other than they were. */
  left_behind: number;
  lost: number;
  changed: number;
}

const figures = (measured: Measured | null = null): Figure[] => [
  atMost("line_to_result", measured?.line_to_result_s ?? null, "s", 180),
  atLeast("servers_measured", measured?.servers ?? null, "", 2),
  atMost("servers_built_there", measured && measured.servers - measured.prebuilt, "", 0),
  atLeast("run_survives_update", measured && Number(measured.survived), "", 1),
  atMost("files_left_behind", measured?.left_behind ?? null, "", 0),
  atMost("files_lost", measured?.lost ?? null, "", 0),
  atMost("files_changed", measured?.changed ?? null, "", 0),
];

const foreignFigures = (measured: Measured | null = null): Figure[] => [
  fact("line_to_result", measured?.line_to_result_s ?? null, "s"),
  ...figures(measured).slice(1),
];

async function measure(stack: Stack, arch: DebianArch): Promise<Measured> {
  const { home } = stack;
  if (!existsSync(join(paths.release, "SHA256SUMS")))
    throw new CommandError("there is no release to install from: run ./rig release first.");
  keyOfRelease(); // one that does not fit is known before anything takes minutes
  const fresh = await FreshRoot.make(join(paths.state, "fresh"), arch);
  try {
    const before = fresh.tree();
    const began = Date.now();
    const { host, spec } = await install(stack, fresh);
    const first = await finished(home, await queueHomeRun(home, host, spec), PATIENCE_MS);
    const took_ms = Date.now() - began;
    say(`  ${seconds(took_ms)} from the line to: ${first.summary?.sentence ?? "nothing."}`);
    for (const label of first.labels) say(`  ${label.message}`);

    const updated = await updatedUnder(stack, fresh, { arch, host, spec });
    say(`  the run that was updated under: ${updated.state}`);

    await fresh.endAgent();
    const remove = "sh /usr/local/share/rigmark/install.sh --uninstall --purge --yes";
    await fresh.run(remove, { log: "fresh-uninstall" });
    const { added, removed, changed } = difference(before, fresh.tree());
    for (const path of added.slice(0, 10)) say(`  left behind: ${path}`);
    for (const path of removed.slice(0, 10)) say(`  lost: ${path}`);
    for (const path of changed.slice(0, 10)) say(`  changed: ${path}`);
    return {
      line_to_result_s: took_ms / 1000,
      servers: first.entries.length,
      prebuilt: first.entries.filter((entry) => isPrebuilt(first, entry.key)).length,
      survived: survived(first, updated),
      left_behind: added.length,
      lost: removed.length,
      changed: changed.length,
    };
  } finally {
    await fresh.remove();
  }
}

function survived(first: RunView, updated: RunView): boolean {
  const hasResult = ({ result }: RunView["trials"][number]) => result !== null;
  const startsHere = new Set(first.trials.filter(hasResult).map((trial) => trial.entry_key));
  const expected = updated.trials.filter((trial) => startsHere.has(trial.entry_key));
  return updated.state === "succeeded" && expected.length > 0 && expected.every(hasResult);
}

const isPrebuilt = ({ labels }: RunView, entry: string): boolean =>
  labels.some(({ code, entry_key }) => code === "prebuilt" && entry_key === entry);

/** A run of k6, which reads a script for each trial. While it measures, the host gets a release with a broken one. */
async function updatedUnder(
  { home, web }: Stack,
  fresh: FreshRoot,
  { arch, host, spec }: { arch: DebianArch; host: string; spec: RunSpec },
): Promise<RunView> {
  const target = `${arch === "arm64" ? "aarch64" : "x86_64"}-unknown-linux-musl`;
  const release = await serveSecondRelease(join(paths.state, "second-release"), target);
  try {
    const run = await queueHomeRun(home, host, { ...spec, suite: null, scenarios: [OF_K6], duration_s: 4 });
    await until(home, run, ({ state }) => state === "measuring", PATIENCE_MS);
    const update = `curl -fsSL ${web.local}/install.sh | sh -s -- --url ${release.url} --yes`;
    await fresh.run(update, { log: "fresh-update" });
    // Otherwise it may have needed nothing any more.
    const after = await until(home, run, () => true);
    if (after.final) throw new Disturbed("The run had ended before the update.");
    return await until(home, run, ({ final }) => final, PATIENCE_MS);
  } finally {
    release.close();
  }
}

const line = ({ web }: Stack, key: string): string =>
  `curl -fsSL ${web.local}/install.sh | RIGMARK_ENROLL_KEY=${key} sh -s -- --url ${web.local} --yes`;

/** By the line; then the agent as the script says how to start it, since a chroot has no systemd. */
async function install(stack: Stack, fresh: FreshRoot): Promise<{ host: string; spec: RunSpec }> {
  const { home } = stack;
  const known = new Set((await listHomeHosts(home)).map((host) => host.host_id));
  await fresh.run(line(stack, await issueKey(home)), { log: "fresh-install" });
  await fresh.startAgent("RIGMARK_STATE=/var/lib/rigmark exec /usr/local/bin/rigmark agent");
  return waitFor("The new host's agent", ONLINE_WITHIN_MS, async () => {
    const hosts = await listHomeHosts(home);
    const host = hosts.find((one) => !known.has(one.host_id) && one.status === "online")?.host_id;
    const catalogue = host && (await readHost(home, host))?.catalogue;
    return catalogue ? { host, spec: quickSuite(catalogue) } : null;
  });
}
