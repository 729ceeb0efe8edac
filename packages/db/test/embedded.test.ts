import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, it } from "vitest";
import { runningPid } from "../src/embedded/files";
import { startEmbedded, stopEmbedded } from "../src/embedded/index";
import { asOwner, findOwner } from "../src/embedded/owner";

const dir = mkdtempSync(join(tmpdir(), "rigmark-pg-"));
afterAll(async () => {
  await stopEmbedded({ dir });
  rmSync(dir, { recursive: true, force: true });
});

const ask = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
};

it("starts, keeps its data over a stop, and is found running by a second start", async () => {
  const first = await startEmbedded({ dir, disposable: true });
  await ask(first.url, "CREATE TABLE kept AS SELECT 42 AS n");
  expect(await startEmbedded({ dir })).toEqual(first);
  expect(statSync(join(dir, "connection.json")).mode & 0o777).toBe(0o600);

  expect(await stopEmbedded({ dir })).toBe(true);
  expect(await stopEmbedded({ dir })).toBe(false);

  const second = await startEmbedded({ dir, disposable: true });
  expect(await ask(second.url, "SELECT n FROM kept")).toEqual([{ n: 42 }]);
  await expect(ask(second.url.replace(/:[^:@]+@/, ":wrong@"), "SELECT 1")).rejects.toThrow("password");
});

it("is not running without a pid file, nor where another program has its id now", () => {
  const other = mkdtempSync(join(tmpdir(), "rigmark-pg-"));
  expect(runningPid(other)).toBeNull();
  mkdirSync(join(other, "data"));
  writeFileSync(join(other, "data", "postmaster.pid"), `${process.pid}\n`);
  expect(runningPid(other)).toBeNull();
  rmSync(other, { recursive: true });
});

it("says in one sentence that the folder cannot be written", async () => {
  await expect(startEmbedded({ dir: join(dir, "connection.json", "below") })).rejects.toThrow(
    /cannot be written/,
  );
});

it.runIf(userInfo().uid === 0)(
  "as root, programs below a closed folder (a clone under /root) are found",
  () => {
    const closed = mkdtempSync(join(tmpdir(), "rigmark-closed-"));
    const program = join(closed, "initdb");
    writeFileSync(program, "", { mode: 0o755 });
    // As initdb does it: access(2), which goes by the real user and drops capabilities unless told otherwise.
    const look = `fs.accessSync(${JSON.stringify(program)}, fs.constants.R_OK | fs.constants.X_OK)`;
    const run = asOwner(findOwner([program]), process.execPath, ["-e", look]);
    const done = spawnSync(run.command, run.args, { ...run.options, encoding: "utf8" });
    rmSync(closed, { recursive: true });
    expect(done.stderr).toBe("");
    expect(done.status).toBe(0);
  },
);
