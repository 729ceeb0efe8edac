import { readdir, readFile } from "node:fs/promises";
import type { MigrationList, SchemasContainer } from "@prisma/schema-engine-wasm";

const root = new URL("../../", import.meta.url);
const migrationsDir = new URL("migrations/", root);
const schemaDir = new URL("schema/", root);

/** The checked-in migrations, in Prisma's own folder format. */
export async function migrationList(): Promise<MigrationList> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  const names = entries.filter((e) => e.isDirectory()).map((e) => e.name);
  return {
    baseDir: migrationsDir.pathname,
    lockfile: {
      path: "./migration_lock.toml",
      content: await readFile(new URL("migration_lock.toml", migrationsDir), "utf8"),
    },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.sort().map(async (path) => ({
        path,
        migrationFile: {
          path: "migration.sql",
          content: {
            tag: "ok" as const,
            value: await readFile(new URL(`${path}/migration.sql`, migrationsDir), "utf8"),
          },
        },
      })),
    ),
  };
}

export async function schemaFiles(): Promise<SchemasContainer> {
  const names = (await readdir(schemaDir)).filter((n) => n.endsWith(".prisma")).sort();
  return {
    files: await Promise.all(
      names.map(async (path) => ({ path, content: await readFile(new URL(path, schemaDir), "utf8") })),
    ),
  };
}
