import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { inherited } from "../env";

/**
 * What tells a process from a later one with the same number: the moment it started. Null when there is no such
 * process, or when it has ended and only waits to be collected.
 */
export function startOf(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 1) return null;
  return existsSync("/proc/self/stat") ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything; what follows it is fixed: state first, start time twentieth.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z") return null;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${fields[19]}`;
  } catch {
    return null;
  }
}

function fromPs(pid: number): string | null {
  try {
    // The same words in every locale and time zone: it is asked again from another session.
    const env = { ...inherited, LC_ALL: "C", TZ: "UTC" };
    const args = ["-o", "stat=,lstart=", "-p", String(pid)];
    const said = execFileSync("ps", args, { encoding: "utf8", env }).trim();
    return said === "" || said.startsWith("Z") ? null : said.slice(said.indexOf(" ")).trim();
  } catch {
    return null;
  }
}
