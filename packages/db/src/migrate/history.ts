import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Migration } from "./files";

/** Prisma's table, column for column: its engine applied the migrations of older installations. */
const CREATE = `CREATE TABLE _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

interface Applied {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  logs: string | null;
}

/** Those of `migrations` that the database does not have yet. Refuses a database that they do not lead on from. */
export async function pendingOf(migrations: Migration[], db: pg.Client): Promise<Migration[]> {
  const history = await readHistory(db);
  const half = history.find((row) => row.finished_at === null);
  if (half) {
    throw new Error(
      `Migration ${half.migration_name} was begun by an older version of Rigmark and did not finish. Restore the backup from before it, then start again.${half.logs ? ` PostgreSQL said: ${half.logs}` : ""}`,
    );
  }
  const checksums = new Map(history.map((row) => [row.migration_name, row.checksum]));
  const changed = migrations.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum);
  if (changed) {
    throw new Error(
      `Migration ${changed.name} was changed after it was applied to this database. Restore its file; changes need a migration of their own.`,
    );
  }
  const known = new Set(migrations.map(({ name }) => name));
  const newer = history.find((row) => !known.has(row.migration_name));
  if (newer) {
    throw new Error(
      `Migration ${newer.migration_name} of this database is of a newer version of Rigmark. Start that version, or restore the backup from before it.`,
    );
  }
  return migrations.filter(({ name }) => !checksums.has(name));
}

async function readHistory(db: pg.Client): Promise<Applied[]> {
  const { rows } = await db.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists");
  if (!rows[0].exists) await db.query(CREATE);
  const history = await db.query<Applied>(
    "SELECT migration_name, checksum, finished_at, logs FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  return history.rows;
}

/** In the transaction that applies the migration, so that the row says what the database has. */
export const record = (db: pg.Client, { name, checksum }: Migration) =>
  db.query(
    `INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), name, checksum],
  );
