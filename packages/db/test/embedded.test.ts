import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, it } from "vitest";
import { startEmbedded, stopEmbedded } from "../src/embedded/index";

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

it("says in one sentence that the folder cannot be written", async () => {
  await expect(startEmbedded({ dir: join(dir, "connection.json", "below") })).rejects.toThrow(
    /cannot be written/,
  );
});
