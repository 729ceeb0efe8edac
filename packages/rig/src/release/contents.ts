import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { capture } from "../exec";
import { root } from "../paths";
import { CommandError } from "../say";
import type { TarFile } from "./tar";

/** What belongs to the tree: what git knows or would add. Without git, everything but build output. */
async function listed(folder: string): Promise<string[]> {
  const git = await capture("git", [
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
    folder,
  ]).catch(() => null);
  if (!existsSync(join(root, folder))) return [];
  const names = git?.code === 0 ? git.stdout.split("\0").filter(Boolean) : walk(folder);
  return names.filter((name) => existsSync(join(root, name)) && statSync(join(root, name)).isFile());
}

const SKIPPED = new Set(["node_modules", "target", "build", "test", "__pycache__"]);
function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name) || entry.name.startsWith(".")) return [];
    return entry.isDirectory() ? walk(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`];
  });
}

const fileOf = (name: string, path: string): TarFile => ({
  path,
  mode: statSync(join(root, name)).mode & 0o100 ? 0o755 : 0o644,
  data: readFileSync(join(root, name)),
});

const isBundled = (server: string): boolean => existsSync(join(root, "servers", server, "server.toml"));

/** Every folder with a server.toml, and the contract. */
async function servers(): Promise<TarFile[]> {
  const names = await listed("servers");
  const bundled = (name: string): boolean => {
    const [, server = "", ...rest] = name.split("/");
    return rest.length > 0 && isBundled(server);
  };
  return names
    .filter((n) => bundled(n) || n === "servers/CONTRACT.md")
    .map((n) => fileOf(n, `share/rigmark/${n}`));
}

/** The files of one server that are packed, relative to its folder. */
export async function serverFiles(server: string): Promise<string[]> {
  const folder = `servers/${server}`;
  return (await listed(folder)).map((name) => name.slice(folder.length + 1));
}

/** Scenarios, suites, the scripts for the tools, and autocannon bundled into one file. */
async function scenarios(): Promise<TarFile[]> {
  const from = "packages/scenarios";
  const bundle = `${from}/dist/autocannon.mjs`;
  if (!existsSync(join(root, bundle)))
    throw new CommandError(`${bundle} is missing: run ./rig release again; \`generate\` makes it.`);
  const names = (
    await Promise.all(["scenarios", "suites", "tools"].map((f) => listed(`${from}/${f}`)))
  ).flat();
  return [...names, bundle].map((n) => fileOf(n, `share/rigmark/scenarios/${n.slice(from.length + 1)}`));
}

/** Everything in an agent's archive but the program and what it makes itself (`terminal.ts`). */
export async function sharedFiles(): Promise<TarFile[]> {
  return [
    ...(await servers()),
    ...(await scenarios()),
    ...(await listed("deploy/systemd")).map((n) => fileOf(n, `share/rigmark/systemd/${basename(n)}`)),
    ...(await listed("deploy/launchd")).map((n) => fileOf(n, `share/rigmark/launchd/${basename(n)}`)),
    fileOf("deploy/install.sh", "share/rigmark/install.sh"),
    fileOf("LICENSE", "share/rigmark/LICENSE"),
  ];
}
