import { spawnSync } from "node:child_process";
import { chownSync, readdirSync } from "node:fs";
import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import pg from "pg";
import { findBinaries } from "./binaries";
import { layout, readConnection, runningPid, urlOf } from "./files";
import { findOwner } from "./owner";

/** A folder (null), or a file: its bytes, or open until the next one is asked for. */
export interface Copied {
  /** `data`, or below it. */
  path: string;
  content: FileHandle | Buffer | null;
}

/** What is in them is made anew at each start; that they are there is expected. The WAL comes last. */
const LEFT_EMPTY = new Set(
  [
    ...["pg_dynshmem", "pg_notify", "pg_replslot", "pg_serial", "pg_snapshots", "pg_stat_tmp"],
    ...["pg_subtrans", "pg_wal"],
  ].map((name) => `data/${name}`),
);
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|pgsql_tmp.*|pg_internal\.init.*|pg_control)$/;

/** Number of the state in `pg_control`, and the one that a clean shutdown leaves; the same in all versions. */
const STATE_AT = 16;
const SHUT_DOWN = 1;

/** Everything with which a PostgreSQL of the same major version goes on from here, whether or not the server runs. */
export async function* copyEmbedded(options: { dir: string }): AsyncGenerator<Copied> {
  const dir = resolve(options.dir);
  if (runningPid(dir) === null) yield* copyStopped(dir);
  else yield* copyRunning(dir);
}

async function* copyStopped(dir: string): AsyncGenerator<Copied> {
  const control = await readControl(dir);
  if (control.readInt32LE(STATE_AT) !== SHUT_DOWN)
    throw new Error("PostgreSQL was not shut down cleanly; start it, and make the backup while it runs");
  yield* walk(dir, "data");
  for (const segment of await segments(dir)) yield* opened(segment, await open(join(dir, segment)));
  yield { path: CONTROL, content: control };
  if (!control.equals(await readControl(dir)))
    throw new Error("PostgreSQL was started meanwhile; make the backup again");
}

/** A base backup by the low-level API: https://www.postgresql.org/docs/18/continuous-archiving.html */
async function* copyRunning(dir: string): AsyncGenerator<Copied> {
  const client = new pg.Client({ connectionString: urlOf(readConnection(dir), "postgres") });
  client.on("error", () => undefined); // the next statement says so
  await client.connect();
  try {
    // Until the session ends, however it ends, no segment is recycled.
    await client.query("SELECT pg_create_physical_replication_slot($1, true, true)", [
      `rigmark_backup_${process.pid}`,
    ]);
    const { rows: began } = await client.query<{ segment: string }>(
      "SELECT pg_walfile_name(pg_backup_start('rigmark', true)) AS segment",
    );
    yield* walk(dir, "data");
    yield { path: CONTROL, content: await readControl(dir) };
    const { rows: ended } = await client.query<{ segment: string; labelfile: string }>(
      "SELECT pg_walfile_name(lsn) AS segment, labelfile FROM pg_backup_stop(true)",
    );
    yield { path: "data/backup_label", content: Buffer.from(ended[0]?.labelfile ?? "") };
    const first = `${WAL}/${began[0]?.segment}`;
    const last = `${WAL}/${ended[0]?.segment}`;
    const needed = (await segments(dir)).filter((segment) => segment >= first && segment <= last);
    if (needed[0] !== first || needed.at(-1) !== last)
      throw new Error("PostgreSQL has removed WAL that the backup needs; make it again");
    for (const segment of needed) yield* opened(segment, await open(join(dir, segment)));
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function* walk(dir: string, folder: string): AsyncGenerator<Copied> {
  yield { path: folder, content: null };
  if (LEFT_EMPTY.has(folder)) return;
  for (const entry of (await unlessGone(readdir(join(dir, folder), { withFileTypes: true }))) ?? []) {
    if (LEFT_OUT.test(entry.name)) continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(dir, path);
    else if (entry.isFile()) {
      const file = await unlessGone(open(join(dir, path)));
      if (file) yield* opened(path, file);
    } else throw new Error(`${join(dir, path)} leads out of the data folder, so a copy would not be whole`);
  }
}

async function* opened(path: string, file: FileHandle): AsyncGenerator<Copied> {
  try {
    yield { path, content: file };
  } finally {
    await file.close();
  }
}

const WAL = "data/pg_wal";
/** In the order in which they were written. */
const segments = async (dir: string): Promise<string[]> =>
  (await readdir(join(dir, WAL)))
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .sort()
    .map((name) => `${WAL}/${name}`);

const CONTROL = "data/global/pg_control";
/** The server may be writing it: what is read twice alike is whole. */
async function readControl(dir: string): Promise<Buffer> {
  for (;;) {
    const read = await readFile(join(dir, CONTROL));
    if (read.equals(await readFile(join(dir, CONTROL)))) return read;
  }
}

/** Null for what the server removed a moment ago, which it does at any time; the WAL has it. */
async function unlessGone<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** A copy that was put there belongs to whom PostgreSQL runs as, as if it had been made there. */
export function giveToPostgres({ dir }: { dir: string }): void {
  const { data } = layout(resolve(dir));
  const { uid, gid } = findOwner([findBinaries().postgres, data]);
  if (uid === null || gid === null) return;
  chownSync(data, uid, gid);
  for (const path of readdirSync(data, { encoding: "utf8", recursive: true }))
    chownSync(join(data, path), uid, gid);
}

/** Major version of the bundled PostgreSQL, which reads the data of no other one. */
export function bundledMajor(): number {
  const { stdout } = spawnSync(findBinaries().postgres, ["--version"], { encoding: "utf8" });
  return Number(/\d+/.exec(stdout ?? "")?.[0]);
}
