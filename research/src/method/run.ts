import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildAgent, capture, Disturbed, env, paths, say, seconds } from "@rigmark/rig/research";
import { z } from "zod";
import { Recorded } from "./record";
import { SLICE, setting } from "./setting";

/** The test server whose cost can be chosen; its path has `=`, `:` and `,` nowhere, or it could not be named. */
const TUNABLE = "servers/yardstick/tunable";
const SEED = 20_261_121;

const Kept = z.object({ key: z.string(), elapsed_s: z.number(), run: Recorded });
export type Kept = z.infer<typeof Kept>;

export interface Comparison {
  /** What the file is called. */
  name: string;
  /** Added work of a and of b, in thousandths of the piece. */
  extra: [number, number];
  scenarios: string[];
  blocks: number;
  /** Each comparison has an order of its own, and the same one when the bench is repeated. */
  seed: number;
  /** As `--slice` takes it. */
  slice?: string;
  /** Blocks are added up to so many, until the verdict is settled. */
  upTo?: number;
  /** Beside the usual environment. */
  env?: Record<string, string>;
}

const home = (): string => join(paths.root, ".rig", setting.short ? "bench-method-short" : "bench-method");
const now = (): string => join(home(), "now");

let program: { path: string; hash: string } | null = null;
async function rigmark(): Promise<{ path: string; hash: string }> {
  if (program) return program;
  const path = await buildAgent();
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
  program = { path, hash };
  return program;
}

/** A comparison of the test server with itself. What was measured before an interruption is taken from its file. */
export async function compare(of: Comparison): Promise<Kept> {
  const { path, hash } = await rigmark();
  const args = argsOf(of);
  const file = join(now(), `${of.name}.json`);
  const key = `${hash} ${args.join(" ")}`;
  const known = readKept(file);
  if (known?.key === key) return known;
  mkdirSync(now(), { recursive: true });
  const began = performance.now();
  const done = await capture(path, args, {
    cwd: paths.root,
    env: {
      RIGMARK_STATE: join(home(), "state"),
      RIGMARK_ASSETS: paths.root,
      PATH: `${paths.bin}:${env.PATH}`,
      ...of.env,
    },
  });
  const elapsed_s = (performance.now() - began) / 1000;
  const kept = { key, elapsed_s, run: readRun(of.name, done.stdout, done.stderr) };
  writeFileSync(`${file}.new`, JSON.stringify(kept));
  renameSync(`${file}.new`, file);
  say(`  ${of.name}: ${seconds(elapsed_s * 1000)}`);
  return kept;
}

function argsOf(of: Comparison): string[] {
  const server = (label: string, extra: number): string =>
    `${label}=${TUNABLE}:extra-permille=${String(extra)}`;
  return [
    "run",
    "--json",
    "--out",
    join(now(), `${of.name}.jsonl`),
    "--server",
    server("a", of.extra[0]),
    "--server",
    server("b", of.extra[1]),
    "--baseline",
    "a",
    ...of.scenarios.flatMap((id) => ["--scenario", id]),
    "--repeats",
    String(of.blocks),
    ...(of.upTo === undefined ? [] : ["--precision", "1%", "--max-repeats", String(of.upTo)]),
    "--duration",
    `${setting.duration_s}s`,
    "--warmup",
    `${setting.warmup_s}s`,
    "--slice",
    of.slice ?? SLICE,
    "--seed",
    String(SEED + of.seed),
  ];
}

/** A trial that did not count is part of a run that was done; a run that was not done is the bench's end. */
function readRun(name: string, stdout: string, stderr: string): Recorded {
  let said: unknown;
  try {
    said = JSON.parse(stdout);
  } catch {
    said = null;
  }
  const run = Recorded.safeParse(said);
  if (run.success && run.data.status === "succeeded") return run.data;
  const last = stderr.trim().split("\n").at(-1) ?? "";
  throw new Disturbed(
    `the comparison ${name} was not done (${last}); what was measured until then is kept in ${now()}, so the bench goes on from there when it is started again.`,
  );
}

function readKept(file: string): Kept | null {
  if (!existsSync(file)) return null;
  try {
    return Kept.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

/** A whole bench is over: the next one measures anew, and this one's records stay until then. */
export function putAside(): void {
  const finished = join(home(), "finished");
  rmSync(finished, { recursive: true, force: true });
  if (existsSync(now())) renameSync(now(), finished);
  say(`the records of all comparisons are in ${finished}`);
}
