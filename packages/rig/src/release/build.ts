import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { capture, must } from "../exec";
import { paths, root } from "../paths";
import { CommandError } from "../say";
import { readElf } from "./elf";

export const TARGETS = ["aarch64-unknown-linux-musl", "x86_64-unknown-linux-musl"] as const;
export type Target = (typeof TARGETS)[number];

/** A profile of Cargo.toml. Only what `release` builds is handed out. */
export type Profile = "release" | "release-test";

/** The agent for `target`: static, without the paths of the machine that built it. */
export async function buildAgent(target: Target, profile: Profile): Promise<Buffer> {
  await must(
    `the agent for ${target}`,
    "cargo-zigbuild",
    ["zigbuild", "--profile", profile, "--locked", "-p", "rigmark", "--target", target],
    {
      log: `${profile}-${target}`,
      env: {
        RUSTFLAGS: `--remap-path-prefix=${root}=. --remap-path-prefix=${join(homedir(), ".cargo")}=cargo`,
        CARGO_ZIGBUILD_PYTHON_PATH: join(paths.tools, "zig", "bin", "python"),
      },
    },
  );
  const program = readFileSync(join(paths.target, target, profile, "rigmark"));
  const elf = readElf(program);
  if (!elf?.isStatic || !target.startsWith(elf.machine)) {
    throw new CommandError(
      `the agent for ${target} came out wrong: ${elf ? JSON.stringify(elf) : "not an ELF file"}.`,
    );
  }
  return program;
}

export const K6_ARCHS = ["amd64", "arm64"] as const;
export type K6Arch = (typeof K6_ARCHS)[number];
const k6Dir = join(root, "deploy", "k6");

export function k6Version(): string {
  const found = /go\.k6\.io\/k6 v(\S+)/.exec(readFileSync(join(k6Dir, "go.mod"), "utf8"))?.[1];
  if (!found) throw new CommandError("deploy/k6/go.mod does not pin go.k6.io/k6.");
  return found;
}

export async function buildK6(arch: K6Arch): Promise<Buffer> {
  const out = join(paths.tools, `k6-linux-${arch}`);
  await must(
    `k6 for ${arch}`,
    "go",
    ["build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out, "go.k6.io/k6"],
    {
      cwd: k6Dir,
      log: `release-k6-${arch}`,
      env: { CGO_ENABLED: "0", GOOS: "linux", GOARCH: arch },
    },
  );
  return readFileSync(out);
}

/** k6 is under the AGPL: its license travels with it, and where its source is. */
export async function k6License(): Promise<Buffer> {
  const where = await capture("go", ["list", "-m", "-f", "{{.Dir}}", "go.k6.io/k6"], { cwd: k6Dir });
  return readFileSync(join(where.stdout.trim(), "LICENSE.md"));
}
