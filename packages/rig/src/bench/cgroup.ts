import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../say";

const GONE_WITHIN_MS = 5000;

export interface Limits {
  memory_bytes: number;
  /** Of each period, the time that all of its processes together may run. */
  quota_us: number;
  period_us: number;
}

/** Processes with a limit of memory and of processor time, in cgroup v2 or, where the kernel has them there, in v1. */
export class Cgroup {
  private constructor(
    private readonly folders: { memory: string; cpu: string; usage: string },
    private readonly v2: boolean,
  ) {}

  static make(name: string, limits: Limits): Cgroup {
    if (process.platform !== "linux")
      throw new CommandError("only Linux has control groups: run this bench on Linux, as root.");
    const mounts = readFileSync("/proc/mounts", "utf8");
    try {
      return Cgroup.unified(mounts, name, limits) ?? Cgroup.separate(mounts, name, limits);
    } catch (cause) {
      if (cause instanceof CommandError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CommandError(
        `a control group with limits of memory and processor time cannot be made here (${why}): run this bench as root.`,
        { cause },
      );
    }
  }

  /** v2; null where it does not have both controllers. */
  private static unified(mounts: string, name: string, limits: Limits): Cgroup | null {
    const root = mountOf(mounts, "cgroup2");
    const controllers = root && read(join(root, "cgroup.controllers"))?.trim().split(" ");
    if (!root || !controllers?.includes("memory") || !controllers.includes("cpu")) return null;
    writeFileSync(join(root, "cgroup.subtree_control"), "+memory +cpu");
    const folder = join(root, name);
    mkdirSync(folder);
    return new Cgroup({ memory: folder, cpu: folder, usage: folder }, true).limited(() => {
      writeFileSync(join(folder, "memory.max"), String(limits.memory_bytes));
      if (existsSync(join(folder, "memory.swap.max"))) writeFileSync(join(folder, "memory.swap.max"), "0");
      writeFileSync(join(folder, "cpu.max"), `${limits.quota_us} ${limits.period_us}`);
    });
  }

  /** v1: a hierarchy for each controller, two of which may be one. */
  private static separate(mounts: string, name: string, limits: Limits): Cgroup {
    const made = (controller: string): string => {
      const root = mountOf(mounts, "cgroup", controller);
      if (!root) throw new CommandError(`this kernel has no control group for ${controller}.`);
      const folder = join(root, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    };
    const [memory, cpu, usage] = [made("memory"), made("cpu"), made("cpuacct")];
    return new Cgroup({ memory, cpu, usage }, false).limited(() => {
      writeFileSync(join(memory, "memory.limit_in_bytes"), String(limits.memory_bytes));
      // Memory and swap together: the same number leaves none for swap.
      const both = join(memory, "memory.memsw.limit_in_bytes");
      if (existsSync(both)) writeFileSync(both, String(limits.memory_bytes));
      writeFileSync(join(cpu, "cpu.cfs_period_us"), String(limits.period_us));
      writeFileSync(join(cpu, "cpu.cfs_quota_us"), String(limits.quota_us));
    });
  }

  private limited(limit: () => void): this {
    try {
      limit();
      return this;
    } catch (error) {
      for (const folder of this.each()) rmdirSync(folder);
      throw error;
    }
  }

  private each(): string[] {
    return [...new Set(Object.values(this.folders))];
  }

  /** The command as one that joins the group before it is anything else. */
  argv(command: readonly string[]): [string, string[]] {
    const enter = this.each().map((folder) => `echo $$ > '${folder}/cgroup.procs' && `);
    return ["sh", ["-c", `${enter.join("")}exec "$@"`, "sh", ...command]];
  }

  pids(): number[] {
    return (read(join(this.folders.memory, "cgroup.procs")) ?? "").split("\n").filter(Boolean).map(Number);
  }

  /** The most memory at one moment since it was made, with what the kernel keeps of files and sockets. */
  peakBytes(): number | null {
    return number(read(join(this.folders.memory, this.v2 ? "memory.peak" : "memory.max_usage_in_bytes")));
  }

  /** Processor time of all that was ever in it. */
  cpuUs(): number | null {
    if (this.v2) return number(field(read(join(this.folders.usage, "cpu.stat")), "usage_usec"));
    const ns = number(read(join(this.folders.usage, "cpuacct.usage")));
    return ns === null ? null : ns / 1000;
  }

  /** Programs that were ended because the memory was used up. */
  outOfMemory(): number | null {
    const file = this.v2 ? "memory.events" : "memory.oom_control";
    return number(field(read(join(this.folders.memory, file)), "oom_kill"));
  }

  /** Once its last process has ended. */
  async remove(): Promise<void> {
    for (const folder of this.each()) {
      for (const until = Date.now() + GONE_WITHIN_MS; existsSync(folder); await sleep(50)) {
        try {
          rmdirSync(folder);
        } catch (error) {
          if (Date.now() > until) throw error;
        }
      }
    }
  }
}

/** Where the file system is mounted, of v1 the one with this controller. */
export function mountOf(mounts: string, type: "cgroup" | "cgroup2", controller?: string): string | null {
  for (const line of mounts.split("\n")) {
    const [, at, kind, options = ""] = line.split(" ");
    if (at && kind === type && (!controller || options.split(",").includes(controller))) return at;
  }
  return null;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** Of lines such as `oom_kill 0`. */
export const field = (text: string | null, name: string): string | null =>
  text
    ?.split("\n")
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1) ?? null;

function number(text: string | null): number | null {
  const found = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(found) ? found : null;
}
