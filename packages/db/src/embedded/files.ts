import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Connection {
  port: number;
  password: string;
}

/** Where an embedded PostgreSQL keeps its things. */
export const layout = (dir: string) => ({
  data: join(dir, "data"),
  log: join(dir, "postgres.log"),
  pid: join(dir, "data", "postmaster.pid"),
  connection: join(dir, "connection.json"),
  passwordFile: join(dir, "initial-password"),
});

export const urlOf = (c: Connection, database = "rigmark"): string =>
  `postgresql://rigmark:${c.password}@127.0.0.1:${c.port}/${database}`;

/** The port and password of an earlier start, or a fresh password. Readable by its owner only. */
export function readConnection(dir: string): Connection {
  const { connection } = layout(dir);
  if (existsSync(connection)) return JSON.parse(readFileSync(connection, "utf8")) as Connection;
  return { port: 0, password: randomBytes(24).toString("base64url") };
}

export function writeConnection(dir: string, connection: Connection): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(layout(dir).connection, `${JSON.stringify(connection)}\n`, { mode: 0o600 });
}

/** Process id of the server that runs on this data folder; null when none does. */
export function runningPid(dir: string): number | null {
  const id = Number(textOf(layout(dir).pid)?.split("\n")[0]);
  if (!Number.isInteger(id) || id <= 1) return null;
  try {
    process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? id : null;
  }
  // After a crash the file may name a process that is somebody else's by now.
  return nameOf(id) === "postgres" ? id : null;
}

function nameOf(pid: number): string | undefined {
  if (existsSync("/proc/self/comm")) return textOf(`/proc/${pid}/comm`)?.trim();
  return spawnSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" })
    .stdout?.trim()
    .split("/")
    .at(-1);
}

/** Null where there is no such file, which may have gone a moment ago: a server that ends removes its own. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return null;
    throw error;
  }
}
