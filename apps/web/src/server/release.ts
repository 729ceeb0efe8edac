import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { env } from "@/env";

const KEY = "rigmark.pub";
const INDEX = ["SHA256SUMS", "SHA256SUMS.minisig", KEY, "manifest.json"];
const plain = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" };

const gone = (message: string): Response => new Response(`${message}\n`, { status: 404, headers: plain });

// The bundler must not take a folder that is only known at run time for a part of the program.
const releaseDir = (): string =>
  resolve(/* turbopackIgnore: true */ env().RELEASE_DIR ?? `${env().STATE_DIR}/release`);

/** Names that may be fetched: those that SHA256SUMS lists, and the lists themselves. */
async function offered(dir: string): Promise<Map<string, string | null>> {
  const names = new Map<string, string | null>(INDEX.map((name) => [name, null]));
  const sums = await readFile(join(/* turbopackIgnore: true */ dir, "SHA256SUMS"), "utf8").catch(() => "");
  for (const [, sha256, name] of sums.matchAll(/^([0-9a-f]{64}) [ *]([A-Za-z0-9][A-Za-z0-9._-]*)$/gm)) {
    if (sha256 && name) names.set(name, sha256);
  }
  return names;
}

/** True when there is an agent to hand out. */
export const hasAgents = async (): Promise<boolean> =>
  [...(await offered(releaseDir())).keys()].some((name) => name.startsWith("rigmark-"));

/** One file of the release. A name that is not on the list is not looked for on the disk. */
export async function releaseFile(name: string): Promise<Response> {
  const dir = releaseDir();
  const names = await offered(dir);
  if (!names.has(name))
    return gone(
      "There is no such download; run `./rig release` on the machine that runs this app to make the agents.",
    );
  const path = join(/* turbopackIgnore: true */ dir, name);
  const info = await stat(path).catch(() => null);
  if (!info?.isFile())
    return gone("This download does not exist yet; run `./rig release` on the machine that runs this app.");
  const sha256 = names.get(name);
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  return new Response(body, {
    headers: {
      ...plain,
      ...(name.endsWith(".gz") ? { "content-type": "application/gzip" } : {}),
      ...(name.endsWith(".json") ? { "content-type": "application/json" } : {}),
      ...(sha256 ? { etag: `"${sha256}"` } : {}),
      "content-length": String(info.size),
    },
  });
}

/** The last line of a minisign public key file; empty where releases are not signed, or that is no such key. */
async function publicKey(): Promise<string> {
  const path = join(/* turbopackIgnore: true */ releaseDir(), KEY);
  const text = await readFile(path, "utf8").catch(() => "");
  const line = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return /^RW[A-Za-z0-9+/]{54}$/.test(line) ? line : "";
}

/** The install script with this app's address in it, and with the key of its releases. */
export async function installScript(): Promise<Response> {
  const places = [
    resolve(/* turbopackIgnore: true */ releaseDir(), "install.sh"),
    resolve(/* turbopackIgnore: true */ "../../deploy/install.sh"),
  ];
  for (const place of places) {
    const text = await readFile(place, "utf8").catch(() => null);
    if (text === null) continue;
    const key = await publicKey();
    const filled = text.replaceAll("@URL@", () => env().PUBLIC_URL).replaceAll("@PUBLIC_KEY@", () => key);
    return new Response(filled, { headers: plain });
  }
  return gone("The install script is not part of this installation; install the app again.");
}
