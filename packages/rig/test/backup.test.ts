import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledMajor, startEmbedded, stopEmbedded } from "@rigmark/db/embedded";
import pg from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { run as backup } from "../src/backup/index";
import { run as restore } from "../src/backup/restore";
import { env } from "../src/env";
import { paths, root, useInstallation } from "../src/paths";
import { tarGz } from "../src/release/tar";
import { readSecrets, readState, remember } from "../src/state";

const dir = mkdtempSync(join(tmpdir(), "rigmark-backup-"));
const inDir = (name: string): string => join(dir, name);
const started: string[] = [];
beforeEach(() => {
  env.DATABASE_URL = undefined;
});
afterAll(async () => {
  for (const postgres of started) await stopEmbedded({ dir: postgres });
  rmSync(dir, { recursive: true });
});

async function start(): Promise<pg.Client> {
  started.push(paths.postgres);
  const { url } = await startEmbedded({ dir: paths.postgres, disposable: true });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function stop(client: pg.Client): Promise<void> {
  await client.end();
  await stopEmbedded({ dir: paths.postgres });
}

const rowsUpTo = async (client: pg.Client, n: number): Promise<number> =>
  (await client.query("SELECT n FROM written WHERE n <= $1", [n])).rowCount ?? 0;

test("a backup made while rows are written, and one of a stopped database, come back elsewhere", async () => {
  const [live, stopped] = [inDir("live.tar.gz"), inDir("stopped.tar.gz")];
  useInstallation(inDir("one"));
  const secrets = readSecrets();
  remember({ port: 4271, network: "10.0.0.1", agent_build: "of that machine" });
  let client = await start();
  await client.query("CREATE TABLE written AS SELECT generate_series(1, 1000) AS n");
  let writes = true;
  const writing = (async () => {
    for (let n = 1001; writes; n += 100)
      await client.query("INSERT INTO written SELECT generate_series($1::int, $1::int + 99)", [n]);
  })();
  try {
    expect(await backup([live])).toBe(0);
  } finally {
    writes = false;
    await writing;
  }
  expect([statSync(live).mode & 0o777, existsSync(`${live}.part`)]).toEqual([0o600, false]);
  await expect(backup([live])).rejects.toThrow("exists");
  await expect(restore([live])).rejects.toThrow("./rig down");
  await stop(client);

  useInstallation(inDir("two"));
  expect(await restore([live])).toBe(0);
  expect(readSecrets()).toEqual(secrets);
  expect(readState()).toEqual({ schema: 1, port: 4271, network: "10.0.0.1" });
  client = await start();
  expect(await rowsUpTo(client, 1000)).toBe(1000);
  await client.query("INSERT INTO written VALUES (-1)");
  await stop(client);

  const link = join(paths.postgres, "data", "pg_tblspc", "1");
  symlinkSync(dir, link);
  await expect(backup([stopped])).rejects.toThrow("leads out of the data folder");
  rmSync(link);
  expect(await backup([stopped])).toBe(0);
  expect(await restore([live])).toBe(0);
  const before = readdirSync(paths.state).filter((name) => name.startsWith("before-restore-"));
  expect(before.map((name) => readdirSync(join(paths.state, name)).sort())).toEqual([
    ["postgres", "secrets.json", "state.json"],
  ]);
  useInstallation(inDir("three"));
  expect(await restore([stopped])).toBe(0);
  client = await start();
  expect(await rowsUpTo(client, 1000)).toBe(1001);
  await stop(client);
  expect(readdirSync(dir).sort()).toEqual(["live.tar.gz", "one", "stopped.tar.gz", "three", "two"]);
});

test("what is no backup for this Rigmark, or damaged, is refused and changes nothing", async () => {
  useInstallation(inDir("four"));
  const { auth_secret } = readSecrets();
  const [bad, outside] = [inDir("bad.tar.gz"), "postgres/data/../../../outside"];
  const manifest = { format: 1, rigmark: "9.9.9", postgres: bundledMajor(), made_at: "" };
  const archive = (first: string, ...others: string[]): Buffer =>
    tarGz(
      [first, ...others].map((text, at) => ({
        path: at === 0 ? "backup.json" : text,
        mode: 0o644,
        data: Buffer.from(text),
      })),
    );
  const good = archive(JSON.stringify(manifest), "state.json");
  for (const [data, why] of [
    [archive(JSON.stringify({ ...manifest, format: 2 })), "restore it with Rigmark 9.9.9"],
    [archive(JSON.stringify({ ...manifest, postgres: 9 })), "it is of PostgreSQL 9"],
    [archive(JSON.stringify(manifest), outside), `no backup holds ${outside}`],
    [archive(JSON.stringify({ name: "another" })), "no backup of Rigmark"],
    [good, "no whole backup"],
    [good.subarray(0, good.length - 20), "it is damaged"],
    [Buffer.from("text"), "no backup of Rigmark"],
  ] as const) {
    writeFileSync(bad, data);
    await expect(restore([bad])).rejects.toThrow(why);
  }
  expect(readdirSync(paths.state)).toEqual(["secrets.json"]);
  expect(JSON.parse(readFileSync(paths.secrets, "utf8"))).toEqual({ auth_secret });
  expect(existsSync(inDir("outside"))).toBe(false);

  await expect(backup([inDir("none.tar.gz")])).rejects.toThrow("nothing to back up");
  await expect(restore([inDir("none.tar.gz")])).rejects.toThrow("there is no file");
  env.DATABASE_URL = "postgresql://db.example.org/rigmark";
  for (const command of [backup, restore])
    await expect(command([bad])).rejects.toThrow("docs/deploy.md says how");
});

test.each([[[]], [["a", "b"]], [["--force"]], [[""]]])("arguments that are not one FILE: %j", (args) => {
  const script = `for part in say usage; do . "$0/packages/rig/sh/$part.sh"; done; check_arguments "$@"`;
  for (const command of ["backup", "restore"])
    expect(spawnSync("sh", ["-c", script, root, command, ...args]).status).toBe(2);
});
