import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../generated/client";
import type { Queryable } from "./sql";

/** A transaction: everything in it happens or nothing does. */
export type Tx = Queryable;

export interface Db extends Queryable {
  url: string;
  /** For ordinary rows. What is SQL, on the same pool, and why, is in this package's README. */
  prisma: PrismaClient;
  tx<T>(use: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// Counters are below 2^53 by protocol, so 64-bit integers are numbers here.
const types = new pg.TypeOverrides();
const [INT4_ARRAY, INT8_ARRAY] = [1007, 1016];
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(INT8_ARRAY, pg.types.getTypeParser(INT4_ARRAY));

export function openDatabase(url: string, options: { max?: number } = {}): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 16,
    connectionTimeoutMillis: 10_000,
    // A server that vanished without a word is noticed after minutes and not after hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "rigmark",
    types,
    // Prisma writes and reads times without their zone and takes them for UTC, whatever the server is set to.
    onConnect: (client) => client.query("SET TIME ZONE 'UTC'"),
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    url,
    prisma,
    query: (query) => pool.query(query),
    tx: async (use) => {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        const result = await use(client);
        await client.query("COMMIT");
        client.release();
        return result;
      } catch (error) {
        const broken = await client.query("ROLLBACK").then(
          () => undefined,
          (e: Error) => e,
        );
        client.release(broken);
        throw error;
      }
    },
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
