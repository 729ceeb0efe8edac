import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join, relative } from "node:path";
import { must } from "../exec";
import { paths } from "../paths";
import { releaseKey } from "../release/index";
import { isSignedBy, publicKey, type SigningKey, signature } from "../release/sign";
import { type TarFile, tarGz } from "../release/tar";
import { CommandError } from "../say";

/** Each of these is another one in the second release, and does not work there. */
const SCRIPTS = new Set(["k6-http.js", "autocannon.mjs"]);
const BROKEN = Buffer.from('throw new Error("this is of another release");\n');

/** A release beside the one of the app, at an address of its own. */
export interface SecondRelease {
  url: string;
  close(): void;
}

/** The same release with an agent whose scripts for load tools do not work: a run that uses one of them fails. */
export async function serveSecondRelease(folder: string, target: string): Promise<SecondRelease> {
  const sums = readFileSync(join(paths.release, "SHA256SUMS"), "utf8");
  const name = new RegExp(`  (rigmark-\\S+-${target}\\.tar\\.gz)$`, "m").exec(sums)?.[1];
  if (!name) throw new CommandError(`there is no agent for ${target} in ${paths.release}.`);
  const archive = tarGz(withBrokenScripts(await unpacked(join(paths.release, name), folder)));
  const sha256 = createHash("sha256").update(archive).digest("hex");
  const ours = Buffer.from(sums.replace(new RegExp(`^\\S+  ${name}$`, "m"), `${sha256}  ${name}`));
  const files = new Map([
    [name, archive],
    ["SHA256SUMS", ours],
  ]);
  const key = keyOfRelease();
  if (key) files.set("SHA256SUMS.minisig", Buffer.from(signature(ours, key, "a second release")));
  const server = await serve(files);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** A host takes no release but one that is signed as its first one was; null where that has no signature. */
export function keyOfRelease(folder = paths.release, ours = releaseKey): SigningKey | null {
  const signed = join(folder, "SHA256SUMS.minisig");
  if (!existsSync(signed)) return null;
  const key = ours();
  const sums = readFileSync(join(folder, "SHA256SUMS"));
  if (key && isSignedBy(sums, readFileSync(signed, "utf8"), publicKey(key))) return key;
  throw new CommandError(
    "the release is signed with another key: set RIGMARK_RELEASE_KEY as for ./rig release, or run ./rig release again.",
  );
}

export function withBrokenScripts(files: readonly TarFile[]): TarFile[] {
  const changed = files.map((file) =>
    SCRIPTS.has(basename(file.path)) ? { ...file, data: BROKEN } : { ...file },
  );
  if (!changed.some(({ data }) => data === BROKEN))
    throw new CommandError(`the agent's archive has none of ${[...SCRIPTS].join(", ")}.`);
  return changed;
}

async function unpacked(archive: string, folder: string): Promise<TarFile[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await must("unpacking the release", "tar", ["-xzf", archive, "-C", folder], { log: "second-release" });
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map((entry): TarFile => {
    const path = join(entry.parentPath, entry.name);
    const mode = statSync(path).mode & 0o100 ? 0o755 : 0o644;
    return { path: relative(folder, path), mode, data: readFileSync(path) };
  });
  rmSync(folder, { recursive: true });
  return read;
}

/** What is in none of `files` is that of the app's release. */
async function serve(files: ReadonlyMap<string, Buffer>): Promise<Server> {
  const server = createServer(({ url = "" }, response) => {
    const name = basename(url);
    const path = join(paths.release, name);
    const data = files.get(name) ?? (url === `/dl/${name}` && existsSync(path) ? readFileSync(path) : null);
    response.writeHead(data ? 200 : 404).end(data);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
