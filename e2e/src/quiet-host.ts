import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "./env";

const SAME = [
  "proc/cpuinfo",
  "proc/device-tree",
  "proc/loadavg",
  "proc/meminfo",
  "proc/sys",
  "etc",
  "sys",
  "usr",
];

/**
 * This host, whose CPU counters stand still: what its hypervisor and other programs take makes no trial of a journey
 * invalid. Pictures for the docs show the host as it is.
 */
export function quietHost(dir: string): NodeJS.ProcessEnv {
  if (process.platform !== "linux" || env.RIGMARK_PICTURES) return {};
  const root = join(dir, "quiet-host");
  if (!existsSync(root)) {
    mkdirSync(join(root, "proc"), { recursive: true });
    for (const path of SAME) if (existsSync(`/${path}`)) symlinkSync(`/${path}`, join(root, path));
    writeFileSync(join(root, "proc/stat"), "cpu  1000 0 1000 1000 0 0 0 0 0 0\n");
  }
  return { RIGMARK_SYSROOT: root };
}
