import { join } from "node:path";
import { buildAheadHasEnded, must } from "../exec";
import { paths } from "../paths";

/** The agent for this machine, optimised. Cargo skips what is unchanged. Returns the program's path. */
export async function buildAgent(): Promise<string> {
  await must("building the agent", "cargo", ["build", "--release", "--locked", "-p", "rigmark"], {
    log: "build-agent",
  });
  buildAheadHasEnded();
  return join(paths.target, "release", "rigmark");
}
