import { basename } from "node:path";
import { argvOf, pssMib } from "./procfs";

/** What a process of a host is there for. */
export const ROLES = ["agent", "verification", "tools", "servers", "builds"] as const;
export type Role = (typeof ROLES)[number];
export type MemoryMib = Record<Role, number>;

/** Load tools by the names of their programs; autocannon is a script that Node runs, and loadgen is the agent's own. */
const TOOLS: Record<string, string> = {
  ab: "ab",
  wrk: "wrk",
  k6: "k6",
  h2load: "h2load",
  node: "autocannon",
};
const BUILDERS = new Set(["make", "cc", "gcc", "cc1", "as", "collect2", "ld", "cargo", "rustc", "go", "sh"]);

/** By its command line. What is neither the agent's own nor known by name is a server, or something that one started. */
export function roleOf(argv: readonly string[]): Role {
  const [program = "", ...rest] = argv;
  const name = basename(program);
  const own = rest.indexOf("internal");
  if (toolOf(argv)) return "tools";
  if (own >= 0 && rest[own + 1] === "verify") return "verification";
  // The agent starts itself anew by what the kernel has of it.
  if (name === "rigmark" || (program === "/proc/self/exe" && own === 0)) return "agent";
  if (BUILDERS.has(name)) return "builds";
  return "servers";
}

/** Null for what is no load tool. */
export function toolOf([program = "", ...rest]: readonly string[]): string | null {
  const own = rest.indexOf("internal");
  return own >= 0 && rest[own + 1] === "loadgen" ? "loadgen" : (TOOLS[basename(program)] ?? null);
}

/** The most memory that each role had at one moment, and that several had together. */
export class MemoryByRole {
  readonly most: MemoryMib = { agent: 0, verification: 0, tools: 0, servers: 0, builds: 0 };
  readonly mostOfTool = new Map<string, number>();
  /** Agent, verification and tools at the same moment: what Rigmark itself takes beside a server. */
  mostBesideServers = 0;
  looks = 0;

  /** `pids` are the processes of the host as they are now. */
  look(pids: readonly number[]): void {
    const now: MemoryMib = { agent: 0, verification: 0, tools: 0, servers: 0, builds: 0 };
    for (const pid of pids) {
      const [mib, argv] = [pssMib(pid), argvOf(pid)];
      if (!(mib > 0)) continue;
      now[roleOf(argv)] += mib;
      const tool = toolOf(argv);
      if (tool) this.mostOfTool.set(tool, Math.max(this.mostOfTool.get(tool) ?? 0, mib));
    }
    this.add(now);
  }

  add(now: MemoryMib): void {
    this.looks += 1;
    for (const role of ROLES) this.most[role] = Math.max(this.most[role], now[role]);
    const own = now.agent + now.verification + now.tools;
    this.mostBesideServers = Math.max(this.mostBesideServers, own);
  }
}
