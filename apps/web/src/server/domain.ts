import { checkDatabase, type Domain, openDomain, startAlerts, startSweeper } from "@rigmark/domain";
import { env } from "@/env";
import { log } from "./log";
import { sendMail } from "./mail";
import { version } from "./version";

// Next may load this module once a route; connections and the sweeper are there once a process.
const shared = globalThis as typeof globalThis & { __rigmarkDomain?: Domain };

/** Database, hints and settings of this process. */
export function domain(): Domain {
  shared.__rigmarkDomain ??= openDomain({
    databaseUrl: env().DATABASE_URL,
    publicUrl: env().PUBLIC_URL,
    signUp: env().SIGN_UP,
    webhookNetworks: env().WEBHOOK_NETWORKS,
    version,
    log: log(),
  });
  return shared.__rigmarkDomain;
}

/** Called once, when the server starts. A database that is down is named and waited for. */
export async function startDomain(): Promise<void> {
  const ctx = domain().as({ kind: "system" });
  startSweeper(ctx);
  startAlerts(ctx, sendMail);
  const { SIGN_UP, SMTP_URL } = env();
  if (!["open", "closed"].includes(SIGN_UP) && !SMTP_URL)
    log().warn(
      `SIGN_UP is ${SIGN_UP}, and no mail server is set (SMTP_URL): nobody has to prove that an address at ${SIGN_UP} is theirs.`,
    );
  try {
    await checkDatabase({ ctx });
  } catch (error) {
    log().error({ err: error }, error instanceof Error ? error.message : String(error));
  }
}
