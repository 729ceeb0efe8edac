import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { env } from "./env";

export const root = resolve(import.meta.dirname, "../../..");
const home = join(root, ".rig");

/** What belongs to one installation: its data, its secrets, its logs. */
const installation = (state: string) => ({
  state,
  stateFile: join(state, "state.json"),
  secrets: join(state, "secrets.json"),
  log: join(state, "log"),
  postgres: join(state, "postgres"),
  agent: join(state, "agent"),
});

/** Everything that `./rig` keeps. */
export const paths = {
  root,
  home,
  ...installation(home),
  stamps: join(home, "stamps"),
  tools: join(home, "tools"),
  bin: join(home, "tools", "bin"),
  release: join(home, "release"),
  /** What `./rig test` packs: built quickly, and never handed out. */
  testRelease: join(home, "release-test"),
  /** Nothing is ever there. */
  noRelease: join(home, "no-release"),
  web: join(root, "apps", "web"),
  target: resolve(root, env.CARGO_TARGET_DIR ?? "target"),
};

/** From here on another installation than the usual one: `bench` throws its own away, a container has a volume. */
export function useInstallation(folder: string): void {
  Object.assign(paths, installation(resolve(home, folder)));
}

export const version = (): string =>
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
