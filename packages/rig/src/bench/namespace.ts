import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readlinkSync, writeFileSync } from "node:fs";
import { childEnv } from "../exec";
import { CommandError } from "../say";
import { waitFor } from "./wait-for";

/** Root in it is root outside: only mounts and binary formats are apart. */
const SAME_IDS = "0 0 4294967295\n";
const QEMU = "/usr/bin/qemu-aarch64-static";
/** What an ELF program for 64-bit little-endian Arm begins with, and which of its bits matter (qemu-binfmt-conf.sh). */
const AARCH64 =
  String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00` +
  ":" +
  String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;
const READY_WITHIN_MS = 10_000;

/**
 * Mounts that nobody else sees. `foreign`: programs for aarch64 start in it, by qemu, in a user namespace with binary formats
 * of its own (Linux 6.7 or newer). Both end with the process that holds them.
 */
export class Namespace {
  private constructor(
    private readonly holder: ChildProcess,
    private readonly foreign: boolean,
  ) {}

  static async open(foreign: boolean): Promise<Namespace> {
    if (foreign && !existsSync(QEMU)) throw new CommandError(`${QEMU} is missing: install qemu-user-static.`);
    const own = readlinkSync("/proc/self/ns/mnt");
    const options = ["--mount", "--propagation", "private", ...(foreign ? ["--user"] : [])];
    // `cat` ends when this process does, however that ends.
    const holder = spawn("unshare", [...options, "cat"], {
      stdio: ["pipe", "ignore", "ignore"],
      env: childEnv(),
    });
    const { pid } = holder;
    if (pid === undefined) throw new CommandError("unshare could not be started.");
    await waitFor("The namespace", READY_WITHIN_MS, async () =>
      readlinkSync(`/proc/${pid}/ns/mnt`) === own ? null : true,
    );
    if (foreign) for (const ids of ["uid_map", "gid_map"]) writeFileSync(`/proc/${pid}/${ids}`, SAME_IDS);
    return new Namespace(holder, foreign);
  }

  /** Starts the command as root in it; the process that it begins with becomes the command. */
  argv(command: readonly string[]): string[] {
    return ["--target", String(this.holder.pid), "--mount", ...(this.foreign ? ["--user"] : []), ...command];
  }

  /** The shell lines that make programs for aarch64 start. `folder`: an empty one to mount the formats on. */
  static formats(folder: string): string {
    return `mount -t binfmt_misc none '${folder}' && printf '%s' ':aarch64:M::${AARCH64}:${QEMU}:F' > '${folder}/register'`;
  }

  close(): void {
    this.holder.stdin?.end();
  }
}
