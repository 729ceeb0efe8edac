import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { capture, childEnv, logPath, must } from "../exec";
import { paths } from "../paths";
import { CommandError } from "../say";
import { Namespace } from "./namespace";

/** What Debian calls the machines that a root can be made for. */
export type DebianArch = "amd64" | "arm64";

/** What is at each path: the size and hash of a file, where a link points, or what else it is. */
export type Tree = ReadonlyMap<string, string>;

export interface Difference {
  added: string[];
  removed: string[];
  changed: string[];
}

/** The host's lock: another agent of this machine may have left it, and the removal takes it. */
const LOCK = "dev/shm/rigmark.lock";

export const difference = (before: Tree, after: Tree): Difference => ({
  added: [...after.keys()].filter((path) => !before.has(path)),
  removed: [...before.keys()].filter((path) => path !== LOCK && !after.has(path)),
  changed: [...before].flatMap(([path, was]) => (after.has(path) && after.get(path) !== was ? [path] : [])),
});

/** Where the kernel shows itself. */
const MOUNTS = ["proc", "sys", "dev"];
const ENV = [
  "/usr/bin/env",
  "-i",
  "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  "HOME=/root",
];

/** A Debian of its own in a folder, without a compiler, an init and a load tool. Needs root and debootstrap. */
export class FreshRoot {
  private agent: ChildProcess | null = null;
  private constructor(
    private readonly folder: string,
    /** Where the binary formats of its namespace are mounted. */
    private readonly formats: string,
    private readonly namespace: Namespace,
  ) {}

  /** Made once by debootstrap and kept; each use gets a copy. Of another architecture than this machine's, it runs by qemu. */
  static async make(folder: string, arch: DebianArch): Promise<FreshRoot> {
    if (process.getuid?.() !== 0) throw new CommandError("a fresh host can only be made by root.");
    const foreign = (arch === "arm64") !== (process.arch === "arm64");
    if (foreign && arch === "amd64") throw new CommandError("an amd64 host can only be made on amd64.");
    rmSync(folder, { recursive: true, force: true });
    const formats = `${folder}-formats`;
    for (const each of [folder, formats]) mkdirSync(each, { recursive: true });
    const root = new FreshRoot(folder, formats, await Namespace.open(foreign));
    try {
      await root.fill(arch, foreign);
      return root;
    } catch (error) {
      await root.remove();
      throw error;
    }
  }

  private async fill(arch: DebianArch, foreign: boolean): Promise<void> {
    const kept = join(paths.tools, `debian-12-${arch}.tar`);
    const log = `debootstrap-${arch}`;
    const isKept = existsSync(kept);
    if (isKept) {
      await must("unpacking the fresh root", "tar", ["-C", this.folder, "-xf", kept], { log });
    } else {
      const options = [`--arch=${arch}`, "--variant=minbase", "--include=ca-certificates,curl"];
      if (foreign) options.push("--foreign");
      const { stdout } = await capture("sh", [join(paths.root, "packages/rig/compose/mirror.sh")]);
      await must("debootstrap", "debootstrap", [...options, "bookworm", this.folder, stdout.trim()], { log });
    }
    const mounts = MOUNTS.map((name) => `mount --rbind '/${name}' '${this.folder}/${name}'`);
    if (foreign) mounts.push(Namespace.formats(this.formats));
    await must(
      "mounts of the fresh root",
      "nsenter",
      this.namespace.argv(["sh", "-c", mounts.join(" && ")]),
      {
        log: `${log}-mounts`,
      },
    );
    if (isKept) return;
    // In a user namespace, as in a container, nobody makes devices; those of /dev are this machine's.
    if (foreign)
      await this.run(
        "container=lxc /debootstrap/debootstrap --second-stage || { cat /debootstrap/debootstrap.log; exit 1; }",
        { log },
      );
    await must("keeping the fresh root", "tar", ["-C", this.folder, "-cf", kept, "."], { log });
  }

  private argv(command: string): string[] {
    return this.namespace.argv(["chroot", this.folder, ...ENV, "sh", "-c", command]);
  }

  async run(command: string, { log }: { log: string }): Promise<void> {
    const what = `\`${command.replace(/KEY=\S+/, "KEY=…")}\` in the fresh root`;
    await must(what, "nsenter", this.argv(command), { log });
  }

  async startAgent(command: string): Promise<void> {
    const out = openSync(logPath("fresh-agent"), "w", 0o600);
    this.agent = spawn("nsenter", this.argv(command), {
      stdio: ["ignore", out, out],
      env: childEnv(),
      detached: true,
    });
    closeSync(out);
    await new Promise<void>((resolve, reject) => {
      this.agent?.once("spawn", resolve);
      this.agent?.once("error", reject);
    });
  }

  async endAgent(): Promise<void> {
    const agent = this.agent;
    this.agent = null;
    if (agent?.pid === undefined || agent.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => void agent.once("exit", () => resolve()));
    process.kill(agent.pid, "SIGTERM");
    await ended;
  }

  /** Every path in it. Its /dev/shm is the machine's, where the app's database has parts: of that only the other names. */
  tree(): Tree {
    const found = new Map<string, string>();
    const walk = (at: string): void => {
      for (const entry of readdirSync(join(this.folder, at), { withFileTypes: true })) {
        const path = at === "" ? entry.name : `${at}/${entry.name}`;
        if (at === "" && MOUNTS.includes(entry.name)) continue;
        const file = join(this.folder, path);
        if (entry.isFile()) found.set(path, contentOf(file));
        else found.set(path, entry.isSymbolicLink() ? `link to ${readlinkSync(file)}` : "");
        if (entry.isDirectory()) walk(path);
      }
    };
    walk("");
    for (const name of readdirSync("/dev/shm"))
      if (!name.startsWith("PostgreSQL.")) found.set(`dev/shm/${name}`, "");
    return found;
  }

  async remove(): Promise<void> {
    await this.endAgent();
    this.namespace.close();
    for (const each of [this.folder, this.formats]) rmSync(each, { recursive: true, force: true });
  }
}

function contentOf(file: string): string {
  const data = readFileSync(file);
  return `${data.length} ${createHash("sha256").update(data).digest("hex")}`;
}
