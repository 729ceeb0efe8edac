import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { capture, childEnv, logPath, must } from "../exec";
import { paths } from "../paths";
import { CommandError } from "../say";

/** Where the kernel shows itself, and what has no files of its own. */
const MOUNTS = ["proc", "sys", "dev"];

/** A Debian of its own in a folder, without a compiler, an init and a load tool. Needs root and debootstrap. */
export class FreshRoot {
  private agent: ChildProcess | null = null;
  private constructor(private readonly folder: string) {}

  /** Made once by debootstrap and kept; each use gets a copy. */
  static async make(folder: string): Promise<FreshRoot> {
    if (process.getuid?.() !== 0) throw new CommandError("a fresh host can only be made by root.");
    const kept = join(paths.tools, "debian-12.tar");
    const made = await capture("test", ["-f", kept]);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    if (made.code !== 0) {
      const options = ["--variant=minbase", "--include=ca-certificates,curl", "bookworm", folder];
      await must("debootstrap", "debootstrap", options, { log: "debootstrap" });
      await must("keeping the fresh root", "tar", ["-C", folder, "-cf", kept, "."], {
        log: "debootstrap-tar",
      });
    } else {
      await must("unpacking the fresh root", "tar", ["-C", folder, "-xf", kept], { log: "debootstrap-tar" });
    }
    return new FreshRoot(folder);
  }

  /** Its own mounts end with the command. */
  private argv(command: string): string[] {
    const mounts = MOUNTS.map((name) => `mount --rbind /${name} '${this.folder}/${name}'`).join(" && ");
    const inside = `exec chroot '${this.folder}' /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh -c "$1"`;
    return ["--mount", "--propagation", "private", "sh", "-c", `${mounts} && ${inside}`, "sh", command];
  }

  async run(command: string, { log }: { log: string }): Promise<void> {
    await must(
      `\`${command.replace(/KEY=\S+/, "KEY=…")}\` in the fresh root`,
      "unshare",
      this.argv(command),
      { log },
    );
  }

  async startAgent(command: string): Promise<void> {
    const out = openSync(logPath("fresh-agent"), "w", 0o600);
    this.agent = spawn("unshare", this.argv(command), {
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

  /** Every path in it. */
  tree(): Set<string> {
    const skipped = new Set(MOUNTS.concat("tmp", "run"));
    const found = new Set<string>();
    const walk = (at: string): void => {
      for (const entry of readdirSync(join(this.folder, at), { withFileTypes: true })) {
        const path = at === "" ? entry.name : `${at}/${entry.name}`;
        if (at === "" && skipped.has(entry.name)) continue;
        found.add(path);
        if (entry.isDirectory()) walk(path);
      }
    };
    walk("");
    return found;
  }

  async remove(): Promise<void> {
    await this.endAgent();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
