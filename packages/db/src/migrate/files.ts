import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

export interface Migration {
  name: string;
  sql: string;
  /** Kept with the name in the database: a migration that was applied must never change. */
  checksum: string;
}

export const MIGRATIONS = new URL("../../migrations/", import.meta.url);

/** The migrations in `folder`, oldest first: names begin with the time at which they were made. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(new URL(`${name}/migration.sql`, folder), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}
