import { join } from "node:path";
import { buildAheadHasEnded, exec, must } from "../exec";
import { paths } from "../paths";
import { CommandError } from "../say";

/** The agent for this machine, optimized. Cargo skips what is unchanged. Returns the program's path. */
export async function buildAgent(): Promise<string> {
  await must("building the agent", "cargo", ["build", "--release", "--locked", "-p", "rigmark"], {
    log: "build-agent",
  });
  buildAheadHasEnded();
  return join(paths.target, "release", "rigmark");
}

/** Not optimized: built in seconds after a change, and nothing to measure with. Cargo's words are shown as they come. */
export async function buildDebugAgent(): Promise<string> {
  const done = await exec("cargo", ["build", "-p", "rigmark"]);
  if (done.code !== 0) throw new CommandError("the agent was not built; cargo says why above.");
  return join(paths.target, "debug", "rigmark");
}
