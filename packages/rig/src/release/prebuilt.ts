import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { capture, exec } from "../exec";
import { paths, root } from "../paths";
import { CommandError, say } from "../say";
import { fill, readManifest, type ServerManifest } from "../server-manifest";
import { needsProgram } from "../suite";
import { serverFiles } from "./contents";
import { crossEnv } from "./cross";
import { buildLiburing } from "./liburing";
import { misfit, readProgram } from "./program";
import type { TarFile } from "./tar";
import type { Target } from "./targets";

/** Names of the servers that come prebuilt. */
export const prebuiltServers = (): string[] =>
  readdirSync(join(root, "servers"))
    .filter((name) => readManifest(name)?.prebuilt !== undefined)
    .sort();

/**
 * The servers of that name for the target, as the agent looks for them (`server/prebuilt.rs`): for each `prebuilt.json` and
 * `out/`. What the target does not run is not in it; what cannot be built for it here is left out, and said.
 */
export async function prebuild(target: Target, names: readonly string[]): Promise<TarFile[]> {
  const files: TarFile[] = [];
  for (const name of names) {
    const manifest = readManifest(name);
    const { os = [], arch = [] } = manifest?.requires ?? {};
    const runs = (list: string[], wanted: string): boolean => list.length === 0 || list.includes(wanted);
    if (!manifest || !runs(os, target.os) || !runs(arch, target.arch)) continue;
    const made = missing(manifest) ?? (await prebuildOne(target, manifest).catch(inOneSentence));
    if (typeof made === "string") say(`${name} for ${target.servers} is left out: ${made}`);
    else
      files.push(...made.map((file) => ({ ...file, path: `share/rigmark/prebuilt/${name}/${file.path}` })));
  }
  return files;
}

/** The command of its toolchain that this machine does not have; null where all are there. */
function missing({ requires }: ServerManifest): string | null {
  const how = `Debian: apt install ${requires?.debian?.join(" ") ?? ""}`;
  const found = (requires?.commands ?? []).map((command) => needsProgram(command, how)());
  return found.find((why) => why !== null) ?? null;
}

/** A toolchain that is there and does not work costs the release its server, and no more. */
function inOneSentence(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  throw error;
}

/** The files, or why there are none. Kept under .rig/prebuilt, and built again when its source or what builds it has changed. */
async function prebuildOne(target: Target, manifest: ServerManifest): Promise<TarFile[] | string> {
  const { name, requires } = manifest;
  const place = mkdtempSync(join(tmpdir(), "rigmark-prebuilt-"));
  try {
    // A copy of what is packed, at a place of its own, as the agent builds it.
    const source = join(place, name);
    const out = join(place, "out");
    const files = await serverFiles(name);
    for (const file of files) cpSync(join(root, "servers", name, file), join(source, file));
    const libraries = requires?.pkg_config?.includes("liburing") ? [await buildLiburing(target)] : [];
    const env = { ...crossEnv(target, source), ...own(target, name) };
    const is = {
      schema: 1,
      source: contentHash(source, files),
      target: target.servers,
      toolchain: [...(await toolchain(requires?.commands ?? [], env)), ...libraries],
    };
    const recipe = JSON.stringify([
      is,
      Object.entries(env).map(([key, value]) => key + value.replaceAll(place, "")),
    ]);
    const kept = join(paths.home, "prebuilt", target.servers, name);
    const stamp = `${kept}.stamp`;
    const made = createHash("sha256").update(recipe).digest("hex");
    if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== made) {
      say(`building ${name} for ${target.servers}`);
      const failed = await build(manifest, { build_dir: out, server_dir: source }, env, target);
      if (failed) return failed;
      rmSync(stamp, { force: true });
      rmSync(kept, { recursive: true, force: true });
      cpSync(out, kept, { recursive: true });
      writeFileSync(stamp, made);
    }
    return pack(kept, is);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Why it could not be built, or nothing. */
async function build(
  { name, build: how }: ServerManifest,
  values: { build_dir: string; server_dir: string },
  cross: Record<string, string>,
  target: Target,
): Promise<string | null> {
  const own = Object.entries(how?.env ?? {}).map(([key, value]) => [key, fill([value], values)[0]]);
  const env = { ...cross, ...Object.fromEntries(own) };
  for (const step of how?.steps ?? []) {
    const [program = "", ...args] = fill(step, values);
    const log = `prebuilt-${name}-${target.servers}`;
    const done = await exec(program, args, { cwd: values.server_dir, env, log });
    if (done.code !== 0) return `\`${program}\` ended with ${done.code}; ${done.log} says why.`;
  }
  const { build_dir } = values;
  for (const path of filesBelow(build_dir).filter((path) => LEFT_BY_BUILDS.test(path)))
    rmSync(join(build_dir, path));
  for (const path of filesBelow(build_dir)) {
    const is = readProgram(readFileSync(join(build_dir, path)));
    const why = is && misfit(is, target);
    if (why) return `${path}: ${why}.`;
  }
  return null;
}
const LEFT_BY_BUILDS = /(^|\/)(\.crates2?\.(toml|json)|[^/]+\.o)$/;

function pack(
  out: string,
  is: { schema: number; source: string; target: string; toolchain: string[] },
): TarFile[] {
  const files: TarFile[] = filesBelow(out).map((path) => ({
    path,
    mode: statSync(join(out, path)).mode & 0o100 ? 0o755 : 0o644,
    data: readFileSync(join(out, path)),
  }));
  const programs = files.flatMap(({ data }) => readProgram(data) ?? []);
  const loader = programs.find(({ os, loader }) => os === "linux" && loader)?.loader ?? null;
  const hash = contentHash(
    out,
    files.map(({ path }) => path),
  );
  const json = `${JSON.stringify({ ...is, out: hash, loader }, null, 2)}\n`;
  return [
    { path: "prebuilt.json", mode: 0o644, data: Buffer.from(json) },
    ...files.map((file) => ({ ...file, path: `out/${file.path}` })),
  ];
}

/** asm needs no C library but GNU's assembler, which zig's compiler is not: where this machine is the target, its own does it. */
const own = (target: Target, name: string): Record<string, string> => {
  const here = { x64: "x86_64", arm64: "aarch64" }[process.arch as "x64" | "arm64"];
  return name === "asm" && process.platform === "linux" && here === target.arch ? { CC: "cc" } : {};
};

const QUESTIONS: Record<string, string[]> = {
  rustc: ["--version"],
  go: ["version"],
  javac: ["--version"],
  cc: ["--version"],
};

/** A line for each compiler that made it. */
async function toolchain(commands: string[], env: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  for (const command of commands) {
    const question = QUESTIONS[command];
    // Rust's programs are linked by it; that is no part of what they do.
    if (!question || (command === "cc" && commands.includes("rustc"))) continue;
    const said = await capture(command === "cc" ? (env.CC ?? "cc") : command, question, { env });
    if (said.code !== 0) throw new CommandError(`${command} does not say its version: ${said.stderr.trim()}`);
    lines.push((said.stdout.split("\n")[0] ?? "").trim());
  }
  return lines;
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** As `server/content.rs` makes it: sha256 over `path NUL mode NUL length NUL bytes` of each file in order of its path. */
export function contentHash(folder: string, files: readonly string[]): string {
  const hash = createHash("sha256");
  const sorted = [...files].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const path of sorted) {
    const data = readFileSync(join(folder, path));
    const mode = statSync(join(folder, path)).mode & 0o100 ? "x" : "-";
    hash.update(`${path}\0${mode}\0${data.length}\0`).update(data);
  }
  return hash.digest("hex");
}
