import { existsSync } from "node:fs";
import { join } from "node:path";
import { paths } from "../paths";
import { CommandError, say, seconds } from "../say";
import { issueKey, listHomeHosts, queueHomeRun, type RunSpec, readHost } from "../up/home";
import { attempt } from "./attempt";
import { atLeast, atMost, type Figure, fact } from "./figure";
import { type DebianArch, FreshRoot } from "./fresh-root";
import { quickSuite } from "./quick-suite";
import { ended, finished, until } from "./runs";
import type { Stack } from "./stack";
import { waitFor } from "./wait-for";

/** qemu included. */
const ONLINE_WITHIN_MS = 180_000;
/** qemu takes ten times as long as the machine itself. */
const PATIENCE_MS = 1_200_000;

/**
 * A Debian with nothing but curl in it: the line that the app shows, then the suite *A first look* with the servers that come
 * with the agent, an update in the middle of a run, and the removal.
 */
export const freshHost = (stack: Stack): Promise<Figure[]> =>
  attempt(figures(), async () => figures(await measure(stack, process.arch === "arm64" ? "arm64" : "amd64")));

/** The same with the agent and the servers of a Raspberry Pi. On x86-64 qemu runs them, so no time is promised. */
export const freshHostArm64 = (stack: Stack): Promise<Figure[]> =>
  attempt(foreignFigures(), async () => foreignFigures(await measure(stack, "arm64")));

interface Measured {
  line_to_result_s: number;
  servers: number;
  /** The run that was updated under ended well, so nothing of it is missing. */
  survived: boolean;
  left_behind: number;
}

const figures = (measured: Measured | null = null): Figure[] => [
  atMost("line_to_result", measured?.line_to_result_s ?? null, "s", 180),
  fact("servers_measured", measured?.servers ?? null, ""),
  atLeast("run_survives_update", measured && Number(measured.survived), "", 1),
  atMost("files_left_behind", measured?.left_behind ?? null, "", 0),
];

const foreignFigures = (measured: Measured | null = null): Figure[] => [
  fact("line_to_result", measured?.line_to_result_s ?? null, "s"),
  ...figures(measured).slice(1),
];

async function measure(stack: Stack, arch: DebianArch): Promise<Measured> {
  const { home } = stack;
  if (!existsSync(join(paths.release, "SHA256SUMS")))
    throw new CommandError("there is no release to install from: run ./rig release first.");
  const fresh = await FreshRoot.make(join(paths.state, "fresh"), arch);
  try {
    const before = fresh.tree();
    const began = Date.now();
    const { host, spec } = await install(stack, fresh);
    const first = await finished(home, await queueHomeRun(home, host, spec), PATIENCE_MS);
    const took_ms = Date.now() - began;
    say(`  ${seconds(took_ms)} from the line to: ${first.summary?.sentence ?? "nothing."}`);
    for (const label of first.labels) say(`  ${label.message}`);

    const second = await queueHomeRun(home, host, spec);
    await until(home, second, (run) => run.state === "measuring", PATIENCE_MS);
    // As if what is installed were of another version.
    await fresh.run(`rm /usr/local/share/rigmark/installed && ${line(stack, "")}`, { log: "fresh-update" });
    const updated = await ended(home, second, PATIENCE_MS);
    say(`  the run that was updated under: ${updated.state}`);

    await fresh.endAgent();
    const remove = "sh /usr/local/share/rigmark/install.sh --uninstall --purge --yes";
    await fresh.run(remove, { log: "fresh-uninstall" });
    const left = [...fresh.tree()].filter((path) => !before.has(path));
    for (const path of left.slice(0, 10)) say(`  left behind: ${path}`);
    return {
      line_to_result_s: took_ms / 1000,
      servers: first.entries.length,
      survived: updated.state === "succeeded",
      left_behind: left.length,
    };
  } finally {
    await fresh.remove();
  }
}

const line = (stack: Stack, key: string): string =>
  `curl -fsSL ${stack.web.local}/install.sh | ${key && `RIGMARK_ENROLL_KEY=${key} `}sh -s -- --url ${stack.web.local} --yes`;

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
