import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findBinaries } from "./binaries";
import { layout, readConnection, runningPid, urlOf, writeConnection } from "./files";
import { asOwner, findOwner, type Owner } from "./owner";
import { freePort } from "./port";

export { bundledMajor, copyEmbedded, giveToPostgres } from "./copy";
export { freePort } from "./port";

export interface EmbeddedOptions {
  /** Folder of this PostgreSQL: data, log, port and password. */
  dir: string;
  /** For tests: gives up safety on power loss. */
  disposable?: boolean;
}
export interface Embedded {
  /** Address of the database `rigmark`, with the password in it. */
  url: string;
  port: number;
  pid: number;
}

const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 30_000;

/** Starts PostgreSQL on `dir`, initializing it the first time, and makes the database. A running one is kept. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dir = resolve(options.dir);
  makeFolder(dir);
  const binaries = findBinaries();
  const owner = findOwner([binaries.postgres, layout(dir).data]);
  const known = readConnection(dir);
  const running = runningPid(dir);
  if (running !== null && known.port !== 0) {
    await waitReady(dir, known, () => runningPid(dir) === null);
    return { url: urlOf(known), port: known.port, pid: running };
  }
  if (!existsSync(`${layout(dir).data}/PG_VERSION`)) initialize(dir, binaries.initdb, owner, known.password);
  const connection = { ...known, port: await freePort(known.port) };
  writeConnection(dir, connection);
  const fast = ["fsync", "synchronous_commit", "full_page_writes"].flatMap((name) => ["-c", `${name}=off`]);
  const run = asOwner(owner, binaries.postgres, [
    ...["-D", layout(dir).data, "-p", String(connection.port)],
    ...["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    ...(options.disposable ? fast : []),
  ]);
  const log = openSync(layout(dir).log, "a", 0o600);
  const child = spawn(run.command, run.args, { ...run.options, detached: true, stdio: ["ignore", log, log] });
  let ended = false;
  child.once("exit", () => {
    ended = true;
  });
  child.once("error", () => {
    ended = true;
  });
  await waitReady(dir, connection, () => ended);
  child.unref();
  return { url: urlOf(connection), port: connection.port, pid: runningPid(dir) ?? child.pid ?? 0 };
}

export const isEmbeddedRunning = ({ dir }: Pick<EmbeddedOptions, "dir">): boolean =>
  runningPid(resolve(dir)) !== null;

/** Stops it, with open transactions rolled back. Does nothing when it does not run. */
export async function stopEmbedded(options: Pick<EmbeddedOptions, "dir">): Promise<boolean> {
  const dir = resolve(options.dir);
  const pid = runningPid(dir);
  if (pid === null) return false;
  process.kill(pid, "SIGINT");
  for (const until = Date.now() + STOP_WITHIN_MS; Date.now() < until; await sleep(20)) {
    if (runningPid(dir) === null) return true;
  }
  process.kill(pid, "SIGQUIT");
  return true;
}

function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
    writeFileSync(`${dir}/.writable`, "");
    rmSync(`${dir}/.writable`);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const why =
      code === "ENOSPC"
        ? "the disk is full; free some space"
        : "it belongs to somebody else; chown it, or remove it";
    throw new Error(`The database folder ${dir} cannot be written: ${why}.`, { cause });
  }
}

function initialize(dir: string, initdb: string, owner: Owner, password: string): void {
  const { data, passwordFile } = layout(dir);
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (owner.uid !== null && owner.gid !== null) {
    for (const path of [data, passwordFile]) chownSync(path, owner.uid, owner.gid);
  }
  chmodSync(data, 0o700);
  const run = asOwner(owner, initdb, [
    ...["-D", data, "--username=rigmark", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"],
    ...["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
  ]);
  const done = spawnSync(run.command, run.args, { ...run.options, encoding: "utf8" });
  rmSync(passwordFile, { force: true });
  if (done.status !== 0) {
    rmSync(data, { recursive: true, force: true });
    const said = (done.stderr || done.error?.message || "").trim().split("\n").slice(-2).join(" ");
    throw new Error(`PostgreSQL could not make its data folder ${data}: ${said}`);
  }
}

async function waitReady(
  dir: string,
  c: { port: number; password: string },
  ended: () => boolean,
): Promise<void> {
  for (const until = Date.now() + START_WITHIN_MS; Date.now() < until; await sleep(30)) {
    const client = new pg.Client({ connectionString: urlOf(c, "postgres") });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'rigmark'");
      if (rowCount === 0) await client.query("CREATE DATABASE rigmark");
      return;
    } catch {
      if (ended()) break;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  const { log } = layout(dir);
  const tail = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").slice(-3).join(" ") : "";
  throw new Error(`PostgreSQL did not start; its log ${log} ends with: ${tail}`);
}
