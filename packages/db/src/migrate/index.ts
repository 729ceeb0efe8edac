import pg from "pg";
import { MIGRATIONS, type Migration, readMigrations } from "./files";
import { pendingOf, record } from "./history";

/** One lock for all that migrate one database; the number has no meaning beyond being ours. */
const LOCK = 7_243_001;

/**
 * Brings the database at `url` to the newest schema and names what it applied. Doing it again does nothing; of
 * several processes that start at once one does it and the others wait.
 */
export async function migrate(url: string, folder: URL = MIGRATIONS): Promise<string[]> {
  const db = new pg.Client({ connectionString: url, application_name: "rigmark migrate" });
  // A connection that breaks also fails the query that waits for it; without a listener it would end the process.
  db.on("error", () => undefined);
  await db.connect();
  try {
    await db.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const pending = await pendingOf(await readMigrations(folder), db);
    for (const migration of pending) await apply(db, migration);
    return pending.map(({ name }) => name);
  } finally {
    await db.end();
  }
}

/** All of it or nothing. */
async function apply(db: pg.Client, migration: Migration): Promise<void> {
  await db.query("BEGIN");
  try {
    await db.query(migration.sql);
    await record(db, migration);
    await db.query("COMMIT");
  } catch (cause) {
    await db.query("ROLLBACK").catch(() => undefined);
    const { message, position } = cause as pg.DatabaseError;
    const line = position && ` (line ${migration.sql.slice(0, Number(position) - 1).split("\n").length})`;
    throw new Error(
      `Migration ${migration.name} failed and was undone; the database is as before it. PostgreSQL said: ${message}${line ?? ""}`,
      { cause },
    );
  }
}
