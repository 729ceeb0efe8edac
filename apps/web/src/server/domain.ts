import { attempt, checkDatabase, type Domain, openDomain } from "@rigmark/domain";
import { env } from "@/env";
import { log } from "./log";
import { version } from "./version";

// Next may load this module once a route; connections and the sweeper are there once a process.
const shared = globalThis as typeof globalThis & { __rigmarkDomain?: Domain };

/** Database, hints and settings of this process. */
export function domain(): Domain {
  shared.__rigmarkDomain ??= openDomain({
    databaseUrl: env().DATABASE_URL,
    publicUrl: env().PUBLIC_URL,
    version,
    log: log(),
  });
  return shared.__rigmarkDomain;
}

/** Called once, when the server starts. A database that is down is named and waited for. */
export async function startDomain(): Promise<void> {
  const ctx = domain().as({ kind: "system" });
  attempt.startSweeper(ctx);
  try {
    await checkDatabase({ ctx });
  } catch (error) {
    log().error({ err: error }, error instanceof Error ? error.message : String(error));
  }
}
