import pg from "pg";
import { withSchemaEngine } from "./engine";
import { migrationList } from "./files";

export { diffToSchema } from "./diff";

/** One lock for all that migrate one database; the number has no meaning beyond being ours. */
const LOCK = 7_243_001;

/**
 * Brings the database at `url` to the newest schema and names what it applied. Doing it again does nothing; of
 * several processes that start at once one does it and the others wait.
 */
export async function migrate(url: string): Promise<string[]> {
  const lock = new pg.Client({ connectionString: url, application_name: "rigmark migrate" });
  await lock.connect();
  try {
    await lock.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const migrationsList = await migrationList();
    const done = await withSchemaEngine(url, (engine) =>
      engine.applyMigrations({ migrationsList, filters: { externalTables: [], externalEnums: [] } }),
    );
    return done.appliedMigrationNames;
  } finally {
    await lock.end();
  }
}
