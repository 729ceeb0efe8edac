import {
  checkDatabase,
  type Domain,
  type OpenOptions,
  openDomain,
  startAlerts,
  startSweeper,
} from "@rigmark/domain";
import { type Env, env } from "@/env";
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
    nonceSecret: env().AUTH_SECRET,
    quotas: quotasOf(env()),
    version,
    log: log(),
  });
  return shared.__rigmarkDomain;
}

/** What is not set is as the domain has it. */
const quotasOf = (set: Env): NonNullable<OpenOptions["quotas"]> => ({
  ...(set.QUOTA_HOSTS && { hosts: set.QUOTA_HOSTS }),
  ...(set.QUOTA_QUEUED_RUNS && { queuedRuns: set.QUOTA_QUEUED_RUNS }),
  ...(set.QUOTA_STORED_GIB && { storedBytes: set.QUOTA_STORED_GIB * 1024 ** 3 }),
  ...(set.QUOTA_LIVE_STREAMS && { liveStreams: set.QUOTA_LIVE_STREAMS }),
});

/** Called once, when the server starts. A database that is down is named and waited for. */
export async function startDomain(): Promise<void> {
  const ctx = domain().as({ kind: "system" });
  startSweeper(ctx);
  startAlerts(ctx, sendMail);
  const { SIGN_UP, SMTP_URL, MAIL_FROM, QUOTA_STORED_GIB } = env();
  if (!["open", "closed"].includes(SIGN_UP) && !SMTP_URL)
    log().warn(
      `SIGN_UP is ${SIGN_UP}, and no mail server is set (SMTP_URL): people can sign up with any address at ${SIGN_UP} without proving that it is theirs.`,
    );
  if (SMTP_URL && /@localhost>?$/.test(MAIL_FROM))
    log().warn(
      `Mails are sent from ${MAIL_FROM}, which most mail servers refuse, so links by mail do not arrive; set MAIL_FROM to an address that the server of SMTP_URL may send for.`,
    );
  if (SIGN_UP === "open" && !QUOTA_STORED_GIB)
    log().warn(
      "SIGN_UP is open, and QUOTA_STORED_GIB is not set: anybody can fill the disk with measurements.",
    );
  try {
    await checkDatabase({ ctx });
  } catch (error) {
    log().error({ err: error }, error instanceof Error ? error.message : String(error));
  }
}
