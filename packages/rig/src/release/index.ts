import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { env } from "../env";
import { generate } from "../generate";
import { whenInterrupted } from "../interrupt";
import { paths, version } from "../paths";
import { answer, CommandError, say, seconds } from "../say";
import { buildAgent, buildK6, k6License, k6Version, type Profile } from "./build";
import { sharedFiles } from "./contents";
import { deb, debName } from "./deb";
import { checkSize } from "./limits";
import { others, type Packed } from "./others";
import { prebuild, prebuiltServers } from "./prebuilt";
import { sbom } from "./sbom";
import { publicKey, type SigningKey, signature, signingKey } from "./sign";
import { Staging } from "./staging";
import { type TarFile, tarGz } from "./tar";
import { TARGETS, type Target } from "./targets";
import { terminalFiles } from "./terminal";

/** `./rig release [--keep] [TARGET…]`: packs agents, prebuilt servers and k6 into .rig/release, with checksums and their signature. */
export async function run(argv: string[]): Promise<number> {
  const began = Date.now();
  const keepOthers = argv.includes(KEEP);
  const names = argv.filter((argument) => argument !== KEEP);
  const targets = names.length > 0 ? names.map(asked) : TARGETS;
  const packed = await release({ ...EVERYTHING, targets, k6: targets, keepOthers });
  for (const { name, sha256, bytes } of packed) answer(`${sha256}  ${name}  ${bytes}`);
  say(`${packed.length} archives are in ${paths.release} (${seconds(Date.now() - began)}).`);
  return 0;
}

const KEEP = "--keep";

function asked(name: string): Target {
  const found = TARGETS.find((target) => [target.agent, target.servers].includes(name));
  if (found) return found;
  const known = TARGETS.map((target) => target.agent).join(", ");
  throw new CommandError(`there is no release for ${name}; the targets are ${known}.`, { exit: 2 });
}

export interface Release {
  folder: string;
  profile: Profile;
  targets: readonly Target[];
  /** What k6 is built for. */
  k6: readonly Target[];
  /** Names of the servers that come prebuilt. */
  servers: readonly string[];
  /** Archives of this version for other targets stay; otherwise they go. */
  keepOthers?: boolean;
}

/** Made by the first release, and kept. */
const KEY = join(paths.home, "release-key");
/** Where no key can be kept, as in the build of an image: one that is lost would refuse every later update. */
const UNSIGNED = "none";

/** Null where releases are not signed. */
export const releaseKey = (): SigningKey | null =>
  UNSIGNED === env.RIGMARK_RELEASE_KEY ? null : signingKey(env.RIGMARK_RELEASE_KEY ?? KEY);

const EVERYTHING: Release = {
  folder: paths.release,
  profile: "dist",
  targets: TARGETS,
  k6: TARGETS,
  servers: prebuiltServers(),
};

/** Archives in the folder, in place of those that were there. */
export async function release(wanted: Release): Promise<Packed[]> {
  await generate();
  mkdirSync(wanted.folder, { recursive: true });
  const staging = new Staging(wanted.folder);
  whenInterrupted(async () => staging.discard());
  try {
    return await packAll(wanted, staging);
  } catch (error) {
    staging.discard();
    throw error;
  }
}

async function packAll(
  { folder, profile, targets, k6, servers, keepOthers = false }: Release,
  staging: Staging,
): Promise<Packed[]> {
  const key = releaseKey();
  const packed: Packed[] = [];
  const programs = new Map<Target, TarFile>();
  for (const target of targets) {
    say(`building the agent for ${target.agent}`);
    programs.set(target, { path: "bin/rigmark", mode: 0o755, data: await buildAgent(target, profile) });
  }
  const shared: TarFile[] = [...(await sharedFiles()), ...(await terminalFiles(profile, targets))];
  // An update must be signed with it too.
  if (key) shared.push({ path: "share/rigmark/release.pub", mode: 0o644, data: Buffer.from(publicKey(key)) });
  for (const [target, program] of programs) {
    const files = [program, ...shared, await sbom(target)];
    packed.push(pack(staging, "agent", version(), target.agent, files, profile === "dist"));
    const debian = deb(version(), target, files);
    if (debian)
      packed.push(keep(staging, debName(version(), target), "debian", version(), target.agent, debian));
  }
  for (const target of targets) {
    const files = await prebuild(target, servers);
    if (files.length > 0) packed.push(pack(staging, "servers", version(), target.servers, files));
  }
  const license: TarFile = { path: "lib/rigmark/k6-LICENSE.md", mode: 0o644, data: await k6License() };
  const source = `k6 ${k6Version()}, built without changes from the Go module go.k6.io/k6@v${k6Version()}.\n`;
  for (const target of k6) {
    say(`building k6 for ${target.k6}`);
    packed.push(
      pack(staging, "k6", k6Version(), target.k6, [
        { path: "lib/rigmark/k6", mode: 0o755, data: await buildK6(target) },
        license,
        { path: "lib/rigmark/k6-SOURCE", mode: 0o644, data: Buffer.from(source) },
      ]),
    );
  }
  if (keepOthers) packed.push(...others(folder, packed, { own: version(), k6: k6Version() }));
  const sums = Buffer.from(packed.map((p) => `${p.sha256}  ${p.name}\n`).join(""));
  const manifest = Buffer.from(
    `${JSON.stringify({ schema: 1, version: version(), files: packed }, null, 2)}\n`,
  );
  const lists = new Map([
    ["SHA256SUMS", sums],
    ["manifest.json", manifest],
  ]);
  if (key) {
    lists.set("SHA256SUMS.minisig", Buffer.from(signature(sums, key, `rigmark ${version()}`)));
    lists.set("rigmark.pub", Buffer.from(publicKey(key)));
  }
  for (const [name, data] of lists) staging.put(name, data);
  staging.publish();
  const kept = new Set([...packed.map((p) => p.name), ...lists.keys()]);
  for (const old of readdirSync(folder))
    if (!kept.has(old) && !Staging.isOfAnother(old)) rmSync(join(folder, old), { recursive: true });
  return packed;
}

const NAMES = { agent: "rigmark", servers: "servers", k6: "k6" } as const;

function pack(
  to: Staging,
  kind: keyof typeof NAMES,
  of: string,
  target: string,
  files: TarFile[],
  limited = false,
): Packed {
  const folder = `${NAMES[kind]}-${of}-${target}`;
  const data = tarGz(files.map((file) => ({ ...file, path: `${folder}/${file.path}` })));
  if (limited) checkSize("archive", target, data.length);
  return keep(to, `${folder}.tar.gz`, kind, of, target, data);
}

const keep = (
  to: Staging,
  name: string,
  kind: Packed["kind"],
  of: string,
  target: string,
  data: Buffer,
): Packed => ({ name, kind, version: of, target, ...to.put(name, data) });
