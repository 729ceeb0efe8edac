import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { logPath } from "../exec";
import { whenInterrupted } from "../interrupt";
import { say } from "../say";
import { attempt } from "./attempt";
import { type Figure, unmeasured } from "./figure";
import { compare, type Plan, type Size } from "./servers-compare";
import { enough, facts, goals, PROMISED, pushed } from "./servers-figures";
import { bundled, type Contender, nullServer, type Options } from "./servers-start";

/**
 * A slot has to hold many answers even where they are large, or one more or less is a different rate. The share of
 * nginx's closed loop is what the tool still keeps up with while others use the machine.
 */
const SIZES: (Size & Plan & { label: string; bytes: number })[] = [
  {
    label: "1k",
    file: "1k.bin",
    bytes: 1024,
    connections: 256,
    share: 1 / 3,
    starts: 16, // starts of one server differ by more than the servers do: many starts, few rounds; at 1 MB too
    closedRounds: 1,
    pacedRounds: 4,
    active_ms: 300,
    quiet_ms: 40,
  },
  {
    label: "1m",
    file: "1m.bin",
    bytes: 1 << 20,
    connections: 32,
    share: 1 / 3,
    starts: 16,
    closedRounds: 1,
    pacedRounds: 4,
    active_ms: 400,
    quiet_ms: 60,
  },
  {
    label: "10m",
    file: "10m.bin",
    bytes: 10 << 20,
    connections: 16,
    share: 1 / 2,
    starts: 4,
    closedRounds: 2,
    pacedRounds: 6,
    active_ms: 800,
    quiet_ms: 120,
  },
];
const BUNDLED = ["epoll", "nginx", "io-uring", "libuv", "asm"];
/** nginx as it answers most requests a second at each size; what was tried stands in servers/nginx/README.md. */
const NGINX: Options = (file) => ({ sendfile: file === "1k.bin" ? "0" : "1", nopush: "1" });
/**
 * nginx as it costs least at 1 MB: fewer requests a second, and more of its sending is done by the other end's
 * processor, which its own time does not show.
 */
const NGINX_PUSH: Options = () => ({ sendfile: "1", nopush: "0" });
const REFERENCE = "nginx";
/** Ours likewise: at 1 MB only the cheaper setting, at 10 MB both, since there the machine decides which one that is. */
const OURS: Options = (file) => ({ nopush: file === "1m.bin" ? "0" : "1" });
const OURS_PUSH: Options = () => ({ nopush: "0" });

/** The agent's own generator beside wrk, where this checkout has that bench. */
async function generator(): Promise<Figure[]> {
  const file = join(import.meta.dirname, "loadgen.ts");
  if (!existsSync(file)) return [];
  const { loadgen } = (await import(pathToFileURL(file).href)) as { loadgen(): Promise<Figure[]> };
  return loadgen();
}

export async function servers(): Promise<Figure[]> {
  return [...(await costs(SIZES)), ...(await generator())];
}

/** One size alone, since all of them take up to 45 minutes. */
export const serversParts: Record<string, () => Promise<Figure[]>> = Object.fromEntries(
  SIZES.map((size) => [`servers-${size.label}`, () => costs([size])]),
);

/** What each server's answers cost in processor time, and how many it gives, beside nginx and beside doing nothing. */
async function costs(sizes: typeof SIZES): Promise<Figure[]> {
  if (process.platform !== "linux" || cpus().length < 2) {
    return unmeasured(
      sizes.flatMap((size) => goals(new Map(), size.label)),
      "Needs Linux and two cores, one for the server and one for the tool.",
    );
  }
  const scratch = mkdtempSync(join(tmpdir(), "rig-bench-servers-"));
  whenInterrupted(async () => rmSync(scratch, { recursive: true, force: true }));
  try {
    const root = join(scratch, "root");
    mkdirSync(root);
    const contenders = await buildAll(scratch, root);
    const log = openSync(logPath("bench-servers"), "w", 0o600);
    const figures: Figure[] = [];
    for (const size of sizes) {
      const body = randomBytes(size.bytes);
      writeFileSync(join(root, size.file), body);
      const hash = createHash("sha256").update(body).digest("hex");
      const players = contenders.filter((each) => each.plays(size.file));
      const promised = goals(new Map(), size.label);
      const measured = await attempt(promised, async () => {
        const found = await compare(
          players,
          REFERENCE,
          size,
          { ...size, enough: (found) => enough(size.label, found) },
          hash,
          log,
        );
        const all = new Map([[size.label, found]]);
        return [...goals(all, size.label), ...facts(all)];
      });
      // A size takes up to twenty minutes: who watches wants to know before the last one is done.
      for (const { name, value, goal } of measured)
        if (goal) say(`servers: ${name} ${value ?? "not measured"} (${goal})`);
      figures.push(...measured);
    }
    return figures;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function buildAll(scratch: string, root: string): Promise<Contender[]> {
  const list: Contender[] = [];
  for (const name of BUNDLED) {
    try {
      list.push(await bundled(name, scratch, root, name === REFERENCE ? NGINX : OURS));
    } catch (error) {
      if (name === REFERENCE) throw error;
      say(`servers: ${name} is left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const push = await bundled(REFERENCE, scratch, root, NGINX_PUSH);
  list.push({ ...push, name: pushed(REFERENCE), plays: (file) => file !== "1k.bin" });
  for (const name of PROMISED.filter((each) => list.some((other) => other.name === each))) {
    const other = await bundled(name, scratch, root, OURS_PUSH);
    list.push({ ...other, name: pushed(name), plays: (file) => file === "10m.bin" });
  }
  const nothing = await nullServer(scratch, root);
  return [...list, { ...nothing, plays: (file) => file === "1k.bin" }];
}
