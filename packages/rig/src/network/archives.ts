import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Archives, filesOf } from "@rigmark/domain/launcher";
import { type ArchiveBuild, ReleaseTarget } from "@rigmark/results/network";
import { logPath } from "../exec";
import { runGently } from "../gently";
import { isInterrupted } from "../interrupt";
import { paths, root } from "../paths";
import { CommandError, say, seconds } from "../say";
import { isAlive, launch } from "../services/service";
import { readState, remember, writeWhole } from "../state";

/** What a Raspberry Pi with a 64-bit system needs. */
export const USUAL_FIRST: ReleaseTarget = "aarch64-unknown-linux-musl";

/** Builds what hosts download, in the background. One that builds already goes on. */
export async function startArchives(first: ReleaseTarget): Promise<void> {
  if (isAlive(readState().archives)) return;
  const args = ["--import", "tsx", join(paths.root, "packages/rig/src/main.ts"), "archives", first];
  remember({
    archives: await launch("archives", process.execPath, args, {
      cwd: join(paths.root, "packages/rig"),
      // A build of the `up` that starts it, and not one to end with it.
      env: { RIG_BUILD_AHEAD: undefined },
    }),
  });
}

/** The background process itself. */
export function run([first = ""]: string[]): Promise<number> {
  const target = ReleaseTarget.safeParse(first);
  if (!target.success) throw new CommandError(`there is no release for "${first}".`, { exit: 2 });
  return buildArchives(target.data, ["sh", join(root, "rig"), "release", "--keep"]);
}

/** What `./rig` exits with after SIGHUP, SIGINT and SIGTERM. */
const ENDED = new Set([129, 130, 143]);

/** One target after the other, so that the first host need not wait for all; what fails does not stop the rest. */
export async function buildArchives(first: ReleaseTarget, command: readonly string[]): Promise<number> {
  const order = [first, ...ReleaseTarget.options.filter((target) => target !== first)];
  const builds: ArchiveBuild[] = order.map((target) => ({
    target,
    state: "waiting",
    began_at: null,
    took_s: null,
  }));
  let held = false;
  const write = (): void =>
    writeWhole(
      filesOf(paths.state).archives,
      `${JSON.stringify(Archives.parse({ schema: 1, pid: process.pid, held, builds }))}\n`,
    );
  write();
  await laterEnds();
  for (const build of builds) {
    const began = Date.now();
    Object.assign(build, { state: "building", began_at: new Date(began).toISOString() });
    write();
    const code = await runGently([...command, build.target], (now) => {
      held = now;
      write();
    });
    // It, or this process, was told to end: the next `up` goes on with this one.
    if (isInterrupted() || ENDED.has(code)) return code;
    held = false;
    const took = Date.now() - began;
    Object.assign(build, { state: code === 0 ? "ready" : "failed", took_s: Math.round(took / 1000) });
    write();
    say(`${build.target}: ${build.state} after ${seconds(took)}`);
  }
  return builds.every((build) => build.state === "ready") ? 0 : 1;
}

/** It builds k6 for this machine, which a release contains. */
async function laterEnds(): Promise<void> {
  while (isAlive(readState().later)) await sleep(1000);
}

/** Null before anything was built. */
export function readArchives(): Archives | null {
  try {
    return Archives.parse(JSON.parse(readFileSync(filesOf(paths.state).archives, "utf8")));
  } catch {
    return null;
  }
}

/** What an `up` that was stopped in the middle has to go on with; null when nothing is left. */
export const unfinished = (archives: Archives | null): ReleaseTarget | null =>
  archives?.builds.find(({ state }) => state === "waiting" || state === "building")?.target ?? null;

/** Says in the terminal what has been built since it was last called. */
export function followArchives(): () => void {
  const before = new Map<ReleaseTarget, ArchiveBuild["state"]>();
  return () => {
    for (const { target, state, took_s } of readArchives()?.builds ?? []) {
      if (before.get(target) === "building" && state === "ready")
        say(`the agent for ${target} is ready after ${seconds((took_s ?? 0) * 1000)}`);
      if (before.get(target) === "building" && state === "failed")
        say(`the agent for ${target} was not built; ${logPath("archives")} says why`);
      before.set(target, state);
    }
  };
}
