import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { env } from "./env";

export const root = resolve(import.meta.dirname, "../../..");
const state = join(root, ".rig");

/** Everything that `./rig` keeps. */
export const paths = {
  root,
  state,
  stateFile: join(state, "state.json"),
  secrets: join(state, "secrets.json"),
  log: join(state, "log"),
  stamps: join(state, "stamps"),
  tools: join(state, "tools"),
  bin: join(state, "tools", "bin"),
  postgres: join(state, "postgres"),
  agent: join(state, "agent"),
  mail: join(state, "mail"),
  release: join(state, "release"),
  web: join(root, "apps", "web"),
  target: resolve(root, env.CARGO_TARGET_DIR ?? "target"),
};

export const version = (): string =>
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
