import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbedded, stopEmbedded } from "./embedded/index";
import { migrate } from "./migrate/index";

export { type Describer, openDescriber, type ResultColumn } from "./describe";

const TEMPLATE = "rigmark_template";

async function admin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const withDatabase = (url: string, name: string): string => {
  const next = new URL(url);
  next.pathname = `/${name}`;
  return next.href;
};

export interface Cluster {
  url: string;
  stop(): Promise<void>;
}

/** One PostgreSQL for a test run, with a migrated template. */
export async function startCluster(): Promise<Cluster> {
  const dir = mkdtempSync(join(tmpdir(), "rigmark-pg-"));
  const { url } = await startEmbedded({ dir, disposable: true });
  await admin(url, `CREATE DATABASE ${TEMPLATE}`);
  await migrate(withDatabase(url, TEMPLATE));
  return {
    url,
    stop: async () => {
      await stopEmbedded({ dir });
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A database of its own for one test file, in milliseconds. */
export async function createTestDatabase(
  clusterUrl: string,
  from: "template" | "empty" = "template",
): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await admin(clusterUrl, `CREATE DATABASE ${name} TEMPLATE ${from === "template" ? TEMPLATE : "template0"}`);
  return withDatabase(clusterUrl, name);
}

/** An empty database in a PostgreSQL that lives for one call. */
export async function withScratchDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "rigmark-pg-"));
  try {
    const { url } = await startEmbedded({ dir, disposable: true });
    return await use(url);
  } finally {
    await stopEmbedded({ dir });
    rmSync(dir, { recursive: true, force: true });
  }
}
