import { mkdir, writeFile } from "node:fs/promises";
import { diffToSchema } from "../dev/diff";
import { migrate } from "../src/migrate/index";
import { withScratchDatabase } from "../src/testing";

/** `pnpm migration <name>`: writes the SQL that leads from the migrations to the schema. Review it before committing. */
const name = process.argv[2];
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  process.stderr.write("Give the migration a name of small letters, digits and underscores.\n");
  process.exit(2);
}
const sql = await withScratchDatabase(async (url) => {
  await migrate(url);
  return diffToSchema(url);
});
if (sql === "") {
  process.stderr.write("Schema and migrations agree; nothing to write.\n");
} else {
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const dir = new URL(`../migrations/${stamp}_${name}/`, import.meta.url);
  await mkdir(dir, { recursive: true });
  await writeFile(new URL("migration.sql", dir), sql);
  process.stdout.write(`${dir.pathname}migration.sql\n`);
}
