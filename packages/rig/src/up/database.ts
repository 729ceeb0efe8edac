import { setTimeout as sleep } from "node:timers/promises";
import { env } from "../env";
import { paths } from "../paths";
import { CommandError, say } from "../say";
import { remember } from "../state";

const PATIENCE_MS = 30_000;

/** The database, running and with the newest schema. Returns its address. */
export async function startDatabase(): Promise<string> {
  const { migrate } = await import("@rigmark/db/migrate");
  const url = env.DATABASE_URL ?? (await startOwn());
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(1000)) {
    try {
      const applied = await migrate(url);
      if (applied.length > 0)
        say(`the database has ${applied.length} new migration${applied.length === 1 ? "" : "s"}`);
      return url;
    } catch (cause) {
      const message = reason(cause);
      if (!/ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|starting up/.test(message)) {
        throw new CommandError(`the database could not be brought to the newest schema: ${message}`, {
          cause,
        });
      }
      if (Date.now() > until) {
        throw new CommandError(
          `the database at ${hostOf(url)} does not answer (${message}): start it, or unset DATABASE_URL to use the embedded one.`,
          { cause },
        );
      }
    }
  }
}

async function startOwn(): Promise<string> {
  const { startEmbedded } = await import("@rigmark/db/embedded");
  remember({ postgres: true });
  return (await startEmbedded({ dir: paths.postgres })).url;
}

export async function isDatabaseRunning(): Promise<boolean> {
  const { isEmbeddedRunning } = await import("@rigmark/db/embedded");
  return isEmbeddedRunning({ dir: paths.postgres });
}

/** Stops the embedded PostgreSQL; true when it ran. */
export async function stopDatabase(): Promise<boolean> {
  const { stopEmbedded } = await import("@rigmark/db/embedded");
  return stopEmbedded({ dir: paths.postgres });
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = (cause as NodeJS.ErrnoException).code;
  return cause.message.includes(code ?? "") ? cause.message : `${code} ${cause.message}`;
}

/** Without user and password. */
function hostOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
}
