import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Db, openDatabase, sql } from "@rigmark/db";
import type { Actor, Config, Ctx, Logger } from "./context";
import { DomainError } from "./error";
import { openBus } from "./internal/bus";
import { QUOTAS, type Quotas } from "./internal/quota";

export interface Domain {
  db: Db;
  /** A context for one request. */
  as(actor: Actor, signal?: AbortSignal): Ctx;
  close(): Promise<void>;
}

export type OpenOptions = Pick<Config, "publicUrl" | "version"> &
  Partial<Omit<Config, "quotas">> & {
    quotas?: Partial<Quotas>;
    databaseUrl: string;
    log?: Logger;
    now?: () => Date;
  };

const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

function ownBootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

/** One a process: connections, hints and settings. It connects when it is first asked for something. */
export function openDomain({
  databaseUrl,
  log = silent,
  now = () => new Date(),
  quotas,
  ...given
}: OpenOptions): Domain {
  const config: Config = {
    signUp: "closed",
    bootId: ownBootId(),
    graceS: 900,
    longPollMs: 25_000,
    webhookNetworks: null,
    nonceSecret: randomBytes(32).toString("base64url"),
    quotas: { ...QUOTAS, ...quotas },
    ...given,
    publicUrl: given.publicUrl.replace(/\/+$/, ""),
  };
  const db = openDatabase(databaseUrl);
  const bus = openBus(db);
  return {
    db,
    as: (actor, signal) => ({ actor, db, bus, config, log, now, ...(signal ? { signal } : {}) }),
    close: async () => {
      await bus.close();
      await db.close();
    },
  };
}

/** True when the database answers and has our tables. */
export async function checkDatabase({ ctx }: { ctx: Ctx }): Promise<void> {
  try {
    await ctx.db.query(sql`SELECT 1 FROM workspace LIMIT 1`);
  } catch (cause) {
    const missing = (cause as { code?: string }).code === "42P01";
    throw new DomainError(
      "unavailable",
      missing
        ? "The database has no tables of Rigmark yet; run the migrations (`./rig up` does)."
        : "The database does not respond; start PostgreSQL, or check DATABASE_URL.",
      {},
      { cause },
    );
  }
}
