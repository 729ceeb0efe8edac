import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runGently } from "./gently";
import { whenInterrupted } from "./interrupt";
import { paths, root } from "./paths";

/**
 * What the first report does not need: the other servers' system packages, and k6. At the lowest priority, and held
 * while something is measured on this host.
 */
export async function run(): Promise<number> {
  writeFileSync(pidFile(), `${process.pid}\n`);
  announceK6(process.pid);
  const forget = (): void => {
    for (const file of [pidFile(), k6Marker()]) rmSync(file, { force: true });
  };
  whenInterrupted(async () => forget());
  const code = await runGently(["sh", join(root, "packages/rig/sh/later.sh")]);
  forget();
  return code;
}

/** For the agent, which says "is being built" of a k6 that is not there while this process lives. */
export function announceK6(pid: number): void {
  if (existsSync(join(paths.tools, "k6"))) return;
  writeFileSync(k6Marker(), `${pid}\n`);
}
const pidFile = (): string => join(paths.home, "later.pid");
const k6Marker = (): string => join(paths.tools, "k6.building");
