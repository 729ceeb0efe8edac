import { join } from "node:path";
import { must } from "../exec";
import { paths } from "../paths";
import { linting } from "./linting";

/**
 * The agent that `cargo test` builds, for tests that need one: `cargo build` and `cargo run` would compile most dependencies
 * again, for other features.
 */
export function debugAgent(): Promise<string> {
  // Each further one would wait for cargo's lock, which clippy holds for minutes.
  built ??= build();
  return built;
}

let built: Promise<string> | undefined;

async function build(): Promise<string> {
  await must("building the agent", "cargo", ["test", "--workspace", "--locked", "--quiet", "--no-run"], {
    log: "build-debug-agent",
    env: linting,
  });
  return join(paths.target, "debug", "rigmark");
}
