import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { logPath } from "../exec";
import { whenInterrupted } from "../interrupt";
import { CommandError, say } from "../say";
import { atMost, type Figure } from "./figure";
import { type Comparison, compare, type Plan, type Size } from "./servers-compare";
import { facts, goals } from "./servers-figures";
import { bundled, type Contender, nullServer } from "./servers-start";

const SIZES: (Size & { label: string; bytes: number })[] = [
  { label: "1k", file: "1k.bin", bytes: 1024, connections: 64 },
  { label: "1m", file: "1m.bin", bytes: 1 << 20, connections: 32 },
  { label: "10m", file: "10m.bin", bytes: 10 << 20, connections: 16 },
];
const BUNDLED = ["epoll", "nginx", "io-uring", "libuv", "asm"];
const REFERENCE = "nginx";
const PLAN: Plan = { closedRounds: 6, pacedRounds: 28, slice_ms: 350 };

/** What each server's answers cost in processor time, and how many it gives, beside nginx and beside doing nothing. */
export async function servers(): Promise<Figure[]> {
  if (process.platform !== "linux" || cpus().length < 2) {
    say("servers: needs Linux's /proc and two cores, one for the server and one for the tool");
    return goals(new Map());
  }
  const scratch = mkdtempSync(join(tmpdir(), "rig-bench-servers-"));
  whenInterrupted(async () => rmSync(scratch, { recursive: true, force: true }));
  try {
    const root = join(scratch, "root");
    mkdirSync(root);
    const contenders = await buildAll(scratch, root);
    const log = openSync(logPath("bench-servers"), "w", 0o600);
    const all = new Map<string, Comparison>();
    for (const size of SIZES) {
      const body = randomBytes(size.bytes);
      writeFileSync(join(root, size.file), body);
      const hash = createHash("sha256").update(body).digest("hex");
      all.set(size.label, await compare(contenders, REFERENCE, size, hash, PLAN, log));
    }
    return [...goals(all), ...facts(all)];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function buildAll(scratch: string, root: string): Promise<Contender[]> {
  const list: Contender[] = [];
  for (const name of BUNDLED) {
    try {
      list.push(await bundled(name, scratch, root));
    } catch (error) {
      if (name === REFERENCE) throw error;
      say(`servers: ${name} is left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return [...list, await nullServer(scratch, root)];
}
