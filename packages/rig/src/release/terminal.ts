import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debugAgent } from "../build/debug-agent";
import { capture } from "../exec";
import { paths } from "../paths";
import { CommandError } from "../say";
import type { Profile } from "./build";
import type { TarFile } from "./tar";
import type { Target } from "./targets";

/** Where each shell looks, below a prefix. */
const COMPLETIONS: Record<string, string> = {
  bash: "share/bash-completion/completions/rigmark",
  zsh: "share/zsh/site-functions/_rigmark",
  fish: "share/fish/vendor_completions.d/rigmark.fish",
};
const ARCHITECTURES: Partial<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };

/** One of the agents that were built, where it runs here; else the one of `./rig up`, or a debug build. */
async function programOf(profile: Profile, targets: readonly Target[]): Promise<[string, ...string[]]> {
  const own = ARCHITECTURES[process.arch];
  const os = process.platform === "darwin" ? "macos" : "linux";
  const built = targets.find((target) => target.os === os && target.arch === own);
  if (built) return [join(paths.target, built.agent, profile, "rigmark")];
  return profile === "release-test"
    ? [await debugAgent()]
    : ["cargo", "run", "--quiet", "--locked", ...ofUp(profile), "-p", "rigmark", "--"];
}

/** Cargo then has little or nothing to build. */
const ofUp = (profile: Profile): string[] =>
  profile === "dist" && existsSync(join(paths.target, "release", "rigmark")) ? ["--release"] : [];

/** Completions and manual pages, as the agent makes them from its own arguments. Alike for every target. */
export async function terminalFiles(profile: Profile, targets: readonly Target[]): Promise<TarFile[]> {
  const [program, ...first] = await programOf(profile, targets);
  const ask = async (...args: string[]): Promise<string> => {
    const done = await capture(program, [...first, ...args]);
    if (done.code !== 0) throw new CommandError(`rigmark ${args.join(" ")} failed: ${done.stderr.trim()}`);
    return done.stdout;
  };
  const file = (path: string, data: Buffer): TarFile => ({ path, mode: 0o644, data });
  const files: TarFile[] = [];
  for (const [shell, path] of Object.entries(COMPLETIONS))
    files.push(file(path, Buffer.from(await ask("completions", shell))));
  const folder = mkdtempSync(join(tmpdir(), "rigmark-man-"));
  try {
    await ask("man", folder);
    for (const page of readdirSync(folder).sort())
      files.push(file(`share/man/man1/${page}`, readFileSync(join(folder, page))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return files;
}
