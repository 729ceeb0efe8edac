import { readdirSync, readFileSync } from "node:fs";
import { TICKS_PER_S } from "./host";

/** What the benches read of other processes. Linux only. */
export interface Process {
  pid: number;
  argv: string[];
}

const read = (pid: number, file: string): string | null => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return null;
  }
};

const statFields = (pid: number): string[] | null => {
  const stat = read(pid, "stat");
  return stat === null ? null : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
};

export function childrenOf(pid: number): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => Number(statFields(child)?.[1]) === pid)
    .flatMap((child) => {
      const argv = read(child, "cmdline")?.split("\0").slice(0, -1);
      return argv && argv.length > 0 ? [{ pid: child, argv }] : [];
    });
}

export const isRunning = (pid: number): boolean => {
  const state = statFields(pid)?.[0];
  return state !== undefined && state !== "Z" && state !== "X";
};

/** Bytes that its read calls brought, sockets included. */
export const bytesRead = (pid: number): number =>
  Number(/^rchar: (\d+)/m.exec(read(pid, "io") ?? "")?.[1] ?? Number.NaN);

export const cpusAllowed = (pid: number): string =>
  /^Cpus_allowed_list:\s*(\S+)/m.exec(read(pid, "status") ?? "")?.[1] ?? "0";

export const rssMib = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(read(pid, "status") ?? "")?.[1] ?? Number.NaN) / 1024;

/** Of a page that several processes share, each has its part, so that processes can be added. */
export const pssMib = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(read(pid, "smaps_rollup") ?? "")?.[1] ?? Number.NaN) / 1024;

export const argvOf = (pid: number): string[] => read(pid, "cmdline")?.split("\0").slice(0, -1) ?? [];

/** Bytes that it made the disk write; of a file that was removed before its turn nothing is. */
export function bytesWritten(pid: number): number {
  const io = read(pid, "io") ?? "";
  const of = (name: string): number =>
    Number(new RegExp(`^${name}: (\\d+)`, "m").exec(io)?.[1] ?? Number.NaN);
  return of("write_bytes") - of("cancelled_write_bytes");
}

/** Processor time that it has used, in seconds. */
export const cpuSeconds = (pid: number): number => {
  const fields = statFields(pid);
  return (Number(fields?.[11]) + Number(fields?.[12])) / TICKS_PER_S;
};
