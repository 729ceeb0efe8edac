import { existsSync, readFileSync } from "node:fs";

/** Of a server's manifest, what a suite has to agree with. */
export interface Manifest {
  workloads: string[];
  options: Record<string, { min: number; max: number }>;
}

/** null where there is no such server. The agent reads server.toml for real; here two kinds of lines are enough. */
export function manifest(server: string): Manifest | null {
  const file = new URL(`../../../servers/${server}/server.toml`, import.meta.url);
  if (!existsSync(file)) return null;
  const text = readFileSync(file, "utf8");
  const workloads = text.match(/^workloads = (\[[^\]]*\])/m)?.[1] ?? "[]";
  const options = [...text.matchAll(/^\[options\.([a-z0-9._-]+)\][^[]*/gm)].map(([table, name]) => {
    const number = (key: string) => Number(table.match(new RegExp(`^${key} = (-?\\d+)`, "m"))?.[1]);
    return [name, { min: number("min"), max: number("max") }];
  });
  return { workloads: JSON.parse(workloads), options: Object.fromEntries(options) };
}
