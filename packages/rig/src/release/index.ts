import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "../generate";
import { paths, version } from "../paths";
import { answer, say, seconds } from "../say";
import {
  buildAgent,
  buildK6,
  K6_ARCHS,
  type K6Arch,
  k6License,
  k6Version,
  type Profile,
  TARGETS,
  type Target,
} from "./build";
import { sharedFiles } from "./contents";
import { type TarFile, tarGz } from "./tar";
import { terminalFiles } from "./terminal";

interface Packed {
  name: string;
  kind: "agent" | "k6";
  version: string;
  /** What the archive runs on: a Rust target, or k6's own name for it. */
  target: string;
  bytes: number;
  sha256: string;
}

/** Packs the agents and k6 into .rig/release: archives, SHA256SUMS and manifest.json. */
export async function run(): Promise<number> {
  const began = Date.now();
  const packed = await release();
  for (const { name, sha256, bytes } of packed) answer(`${sha256}  ${name}  ${bytes}`);
  say(`${packed.length} archives are in ${paths.release} (${seconds(Date.now() - began)}).`);
  return 0;
}

export interface Release {
  folder: string;
  profile: Profile;
  targets: readonly Target[];
  k6: readonly K6Arch[];
}

/** Archives in the folder, in place of those that were there. */
export async function release(
  { folder, profile, targets, k6 }: Release = {
    folder: paths.release,
    profile: "release",
    targets: TARGETS,
    k6: K6_ARCHS,
  },
): Promise<Packed[]> {
  await generate();
  mkdirSync(folder, { recursive: true });
  const packed: Packed[] = [];
  const programs = new Map<string, TarFile>();
  for (const target of targets) {
    say(`building the agent for ${target}`);
    programs.set(target, { path: "bin/rigmark", mode: 0o755, data: await buildAgent(target, profile) });
  }
  const shared = [...(await sharedFiles()), ...(await terminalFiles(profile, targets))];
  for (const [target, program] of programs) {
    packed.push(
      pack(folder, `rigmark-${version()}-${target}`, { kind: "agent", version: version(), target }, [
        program,
        ...shared,
      ]),
    );
  }
  const license: TarFile = { path: "lib/rigmark/k6-LICENSE.md", mode: 0o644, data: await k6License() };
  const source = `k6 ${k6Version()}, built without changes from the Go module go.k6.io/k6@v${k6Version()}.\n`;
  for (const arch of k6) {
    say(`building k6 for linux-${arch}`);
    packed.push(
      pack(
        folder,
        `k6-${k6Version()}-linux-${arch}`,
        { kind: "k6", version: k6Version(), target: `linux-${arch}` },
        [
          { path: "lib/rigmark/k6", mode: 0o755, data: await buildK6(arch) },
          license,
          { path: "lib/rigmark/k6-SOURCE", mode: 0o644, data: Buffer.from(source) },
        ],
      ),
    );
  }
  const sums = packed.map((p) => `${p.sha256}  ${p.name}\n`).join("");
  put(folder, "SHA256SUMS", Buffer.from(sums));
  put(
    folder,
    "manifest.json",
    Buffer.from(`${JSON.stringify({ schema: 1, version: version(), files: packed }, null, 2)}\n`),
  );
  const kept = new Set([...packed.map((p) => p.name), "SHA256SUMS", "manifest.json"]);
  for (const old of readdirSync(folder)) if (!kept.has(old)) rmSync(join(folder, old), { recursive: true });
  return packed;
}

function pack(
  to: string,
  folder: string,
  what: Pick<Packed, "kind" | "version" | "target">,
  files: TarFile[],
): Packed {
  const name = `${folder}.tar.gz`;
  const data = tarGz(files.map((file) => ({ ...file, path: `${folder}/${file.path}` })));
  put(to, name, data);
  return { name, ...what, bytes: data.length, sha256: createHash("sha256").update(data).digest("hex") };
}

/** Whole or not at all: the web app may be serving the folder. */
function put(folder: string, name: string, data: Buffer): void {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, data, { mode: 0o644 });
  renameSync(`${path}.new`, path);
}
