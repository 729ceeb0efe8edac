import { join } from "node:path";
import { must } from "../exec";
import { paths } from "../paths";

/**
 * The agent that `cargo test` builds, for tests that need one: `cargo build` and `cargo run` would compile most dependencies
 * again, for other features.
 */
export async function debugAgent(): Promise<string> {
  await must("building the agent", "cargo", ["test", "--workspace", "--locked", "--quiet", "--no-run"], {
    log: "build-debug-agent",
  });
  return join(paths.target, "debug", "rigmark");
}
