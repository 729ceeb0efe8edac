import { readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterEach, describe, expect, inject, it } from "vitest";
import { diffToSchema } from "../dev/diff";
import { withSchemaEngine } from "../dev/engine";
import { MIGRATIONS, readMigrations } from "../src/migrate/files";
import { migrate } from "../src/migrate/index";
import { createTestDatabase } from "../src/testing";

const names = readdirSync(MIGRATIONS).filter((name) => !name.endsWith(".toml"));
const emptyDatabase = () => createTestDatabase(inject("clusterUrl"), "empty");

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));

/** A folder of migrations, given by name and SQL. */
async function folderOf(migrations: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), "rigmark-migrations-"));
  folders.push(folder);
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "migration.sql"), sql);
  }
  return pathToFileURL(`${folder}/`);
}

/** Applies the first migrations as releases did that had Prisma's engine for it. */
async function migrateWithPrisma(url: string, count: number): Promise<void> {
  const migrations = (await readMigrations(MIGRATIONS)).slice(0, count);
  await withSchemaEngine(url, (engine) =>
    engine.applyMigrations({
      migrationsList: {
        baseDir: MIGRATIONS.pathname,
        lockfile: { path: "./migration_lock.toml", content: 'provider = "postgresql"' },
        shadowDbInitScript: "",
        migrationDirectories: migrations.map(({ name, sql }) => ({
          path: name,
          migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
        })),
      },
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
}

describe("the migrations", () => {
  it("lead to the very schema (else run `pnpm migration NAME`)", async () => {
    expect(await diffToSchema(await createTestDatabase(inject("clusterUrl")))).toBe("");
  });

  it("are applied in order and once", async () => {
    const url = await emptyDatabase();
    expect(await migrate(url)).toEqual(names);
    expect(await migrate(url)).toEqual([]);
  });

  it("are applied once when two processes start at the same time", async () => {
    const url = await emptyDatabase();
    const applied = await Promise.all([migrate(url), migrate(url)]);
    expect(applied.map((each) => each.length).sort((a, b) => a - b)).toEqual([0, names.length]);
    expect(await query(url, "SELECT count(*)::int AS rows FROM _prisma_migrations")).toEqual([
      { rows: names.length },
    ]);
  });
});

describe("a database that Prisma's engine migrated", () => {
  it("goes on from where it is, with its data", async () => {
    const url = await emptyDatabase();
    await migrateWithPrisma(url, 5);
    await query(url, "INSERT INTO workspace (workspace_id, name) VALUES (gen_random_uuid(), 'lab')");
    expect(await migrate(url)).toEqual(names.slice(5));
    expect(await query(url, "SELECT name FROM workspace")).toEqual([{ name: "lab" }]);
    expect(await diffToSchema(url)).toBe("");
  });

  it("has the same table with the same names and checksums as one migrated here", async () => {
    const [theirs, ours] = [await emptyDatabase(), await emptyDatabase()];
    await migrateWithPrisma(theirs, names.length);
    await migrate(ours);
    const columns = `SELECT column_name, udt_name, character_maximum_length, is_nullable, column_default
      FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`;
    expect(await query(ours, columns)).toEqual(await query(theirs, columns));
    const rows = `SELECT migration_name, checksum, applied_steps_count, finished_at >= started_at AS finished,
      logs, rolled_back_at FROM _prisma_migrations ORDER BY migration_name`;
    expect(await query(ours, rows)).toEqual(await query(theirs, rows));
    expect(await migrate(theirs)).toEqual([]);
  });

  it("is refused where a migration did not finish, unless it was taken back", async () => {
    const url = await emptyDatabase();
    await migrateWithPrisma(url, names.length);
    await query(
      url,
      "UPDATE _prisma_migrations SET finished_at = NULL, logs = 'disk full' WHERE migration_name LIKE '%_rounds'",
    );
    await expect(migrate(url)).rejects.toThrow(/_rounds was begun .* did not finish.* disk full/);
    await query(
      url,
      `ALTER TABLE slice DROP COLUMN left_out; ALTER TABLE trial DROP COLUMN rounds;
       UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name LIKE '%_rounds'`,
    );
    expect(await migrate(url)).toEqual(names.filter((name) => name.endsWith("_rounds")));
    expect(await diffToSchema(url)).toBe("");
  });
});

describe("a migration", () => {
  it("that fails leaves nothing of itself, keeps those before it, and can be repaired", async () => {
    const url = await emptyDatabase();
    const folder = await folderOf({
      "1_fine": "CREATE TABLE first (n int);",
      "2_broken": "CREATE TABLE second (n int);\n\nALTER TABLE missing ADD COLUMN n int;",
    });
    await expect(migrate(url, folder)).rejects.toThrow(
      /2_broken failed and was undone.*relation "missing" does not exist/,
    );
    const tables =
      "SELECT to_regclass('first') IS NOT NULL AS first, to_regclass('second') IS NOT NULL AS second";
    expect(await query(url, tables)).toEqual([{ first: true, second: false }]);
    await writeFile(new URL("2_broken/migration.sql", folder), "CREATE TABLE second (n int);");
    expect(await migrate(url, folder)).toEqual(["2_broken"]);
    expect(await query(url, tables)).toEqual([{ first: true, second: true }]);
  });

  it("of a newer version stops everything", async () => {
    const url = await emptyDatabase();
    const older = { "1_fine": "CREATE TABLE first (n int);" };
    await migrate(url, await folderOf({ ...older, "2_newer": "CREATE TABLE second (n int);" }));
    await expect(migrate(url, await folderOf(older))).rejects.toThrow(
      "2_newer of this database is of a newer",
    );
  });

  it("that was changed after it was applied stops everything", async () => {
    const url = await emptyDatabase();
    const folder = await folderOf({ "1_fine": "CREATE TABLE first (n int);" });
    await migrate(url, folder);
    await cp(new URL("1_fine/", folder), new URL("2_next/", folder), { recursive: true });
    await writeFile(new URL("1_fine/migration.sql", folder), "CREATE TABLE first (n bigint);");
    await expect(migrate(url, folder)).rejects.toThrow("1_fine was changed after it was applied");
  });
});
