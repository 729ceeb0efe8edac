import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@rigmark/db/embedded";
import { childEnv, must } from "../exec";
import { paths } from "../paths";
import { CommandError } from "../say";
import { fill, readManifest } from "../server-manifest";
import { ask, type ProbeResponse } from "./servers-ask";
import { owned } from "./servers-children";
import { Cpu, treeOf } from "./servers-cpu";

/** The server has one core, the tool the other one. */
const SERVER_CORE = "0";
export const TOOL_CORE = "1";
const READY_WITHIN_MS = 10_000;

/** How to start a server: the command with a port and the file that will be asked for. */
export interface Contender {
  name: string;
  /** Where it says nothing new it stays away. */
  plays(file: string): boolean;
  command(port: number, file: string): string[];
}

export interface Running {
  name: string;
  port: number;
  cpu: Cpu;
  child: ChildProcess;
}

/** Options of a manifest, by the file that will be asked for. */
export type Options = (file: string) => Record<string, string>;

/** A bundled server with one worker, built with the commands of its manifest. */
export async function bundled(
  name: string,
  scratch: string,
  root: string,
  options: Options = () => ({}),
): Promise<Contender> {
  const folder = join(paths.root, "servers", name);
  const manifest = readManifest(name);
  if (!manifest) throw new CommandError(`there is no server ${name}.`);
  const build_dir = join(scratch, "build", name);
  mkdirSync(build_dir, { recursive: true });
  const fixed = { server_dir: folder, build_dir, root, address: "127.0.0.1", workers: "1" };
  for (const step of manifest.build?.steps ?? []) {
    const [command = "", ...args] = fill(step, fixed);
    await must(`building ${name}`, command, args, { cwd: folder, log: `bench-build-${name}` });
  }
  const defaults = Object.entries(manifest.options ?? {}).map(([key, option]) => [
    key,
    String(option.default),
  ]);
  return {
    name,
    plays: () => true,
    command(port, file) {
      const work_dir = join(scratch, "work", `${name}-${port}`);
      mkdirSync(work_dir, { recursive: true });
      return fill(manifest.run.command, {
        ...Object.fromEntries(defaults),
        ...options(file),
        ...fixed,
        work_dir,
        port: String(port),
      });
    },
  };
}

/** Fixed bytes and no parsing: what the two system calls cost. */
export async function nullServer(scratch: string, root: string): Promise<Contender> {
  const build = join(scratch, "build", "null");
  const folder = join(paths.root, "servers", "yardstick");
  await must("building the null server", "make", ["-s", `BUILD=${build}`], {
    cwd: folder,
    log: "bench-build-null",
  });
  return {
    name: "null",
    plays: () => true,
    command: (port, file) => [
      join(build, "null"),
      String(port),
      file === "1k.bin" ? "1024" : join(root, file),
    ],
  };
}

export async function start(contender: Contender, file: string, log: number): Promise<Running> {
  const port = await freePort();
  const command = contender.command(port, file);
  const child = owned(
    spawn("taskset", ["-c", SERVER_CORE, ...command], {
      env: childEnv(),
      stdio: ["ignore", log, log],
    }),
  );
  child.once("error", () => undefined);
  if (!child.pid)
    throw new CommandError("taskset is not here (package util-linux), so nothing can be pinned.");
  await ready(contender.name, child, port, file);
  return { name: contender.name, port, child, cpu: new Cpu(treeOf(child.pid)) };
}

async function ready(name: string, child: ChildProcess, port: number, file: string): Promise<ProbeResponse> {
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await sleep(20)) {
    if (child.exitCode !== null) break;
    const response = await ask(port, file).catch(() => null);
    if (response) return response;
  }
  throw new CommandError(
    `${name} did not get ready; its words are in ${join(paths.log, "bench-servers.log")}.`,
  );
}
