import { readFileSync } from "node:fs";
import { join } from "node:path";
import { capture, must } from "../exec";
import { paths, root } from "../paths";
import { CommandError } from "../say";
import { agentEnv } from "./cross";
import { checkSize } from "./limits";
import { misfit, readProgram } from "./program";
import type { Target } from "./targets";

/** A profile of Cargo.toml. Only what `dist` builds is handed out. */
export type Profile = "dist" | "release-test";

/** The agent for `target`, without the paths of the machine that built it. */
export async function buildAgent(target: Target, profile: Profile): Promise<Buffer> {
  await must(
    `the agent for ${target.agent}`,
    "cargo-zigbuild",
    ["zigbuild", "--profile", profile, "--locked", "-p", "rigmark", "--target", withGlibc(target)],
    { log: `${profile}-${target.agent}`, env: agentEnv() },
  );
  const program = readFileSync(join(paths.target, target.agent, profile, "rigmark"));
  const is = readProgram(program);
  const dynamic = is?.loader && target.agent.endsWith("-musl") ? `it needs ${is.loader}` : null;
  checked(`the agent for ${target.agent}`, misfit(is, target) ?? dynamic);
  if (profile === "dist") checkSize("program", target.agent, program.length);
  return program;
}

function checked(what: string, why: string | null): void {
  if (why) throw new CommandError(`${what} came out wrong: ${why}.`);
}

/** cargo-zigbuild takes the oldest glibc as a part of the target's name. */
const withGlibc = ({ agent, zig }: Target): string => {
  const glibc = agent.includes("-gnu") ? /\.(2\.\d+)$/.exec(zig[1] ?? "")?.[1] : undefined;
  return glibc ? `${agent}.${glibc}` : agent;
};

const k6Dir = join(root, "deploy", "k6");

export function k6Version(): string {
  const found = /go\.k6\.io\/k6 v(\S+)/.exec(readFileSync(join(k6Dir, "go.mod"), "utf8"))?.[1];
  if (!found) throw new CommandError("deploy/k6/go.mod does not pin go.k6.io/k6.");
  return found;
}

export async function buildK6(target: Target): Promise<Buffer> {
  const { k6, go } = target;
  const out = join(paths.tools, `k6-${k6}`);
  await must(
    `k6 for ${k6}`,
    "go",
    ["build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out, "go.k6.io/k6"],
    { cwd: k6Dir, log: `release-k6-${k6}`, env: { CGO_ENABLED: "0", ...go } },
  );
  const program = readFileSync(out);
  checked(`k6 for ${k6}`, misfit(readProgram(program), target));
  return program;
}

/** k6 is under the AGPL: its license travels with it, and where its source is. */
export async function k6License(): Promise<Buffer> {
  const where = await capture("go", ["list", "-m", "-f", "{{.Dir}}", "go.k6.io/k6"], { cwd: k6Dir });
  return readFileSync(join(where.stdout.trim(), "LICENSE.md"));
}
