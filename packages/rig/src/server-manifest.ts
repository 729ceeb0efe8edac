import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { root } from "./paths";

/** What `rig` needs of a server.toml; the agent reads and checks all of it. */
export interface ServerManifest {
  name: string;
  requires?: {
    os?: string[];
    arch?: string[];
    commands?: string[];
    pkg_config?: string[];
    debian?: string[];
  };
  /** There: a build of it comes with the agent. */
  prebuilt?: object;
  build?: { steps?: string[][]; env?: Record<string, string> };
  run: { command: string[] };
  options?: Record<string, { default: number }>;
}

/** Of a bundled server; null where there is none of that name. */
export function readManifest(name: string): ServerManifest | null {
  let text: string;
  try {
    text = readFileSync(join(root, "servers", name, "server.toml"), "utf8");
  } catch {
    return null;
  }
  return parse(text) as unknown as ServerManifest;
}

/** `{KEY}` is filled in where there is a value for it. */
export const fill = (argv: readonly string[], values: Record<string, string>): string[] =>
  argv.map((word) => word.replace(/\{([\w-]+)\}/g, (whole, key: string) => values[key] ?? whole));
