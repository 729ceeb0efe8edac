import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import nodemailer from "nodemailer";
import { env } from "@/env";
import { log } from "./log";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** For the connection with its greeting, and then for each response. `sendAlerts` waits longer. */
const WAIT_MS = 30_000;

/** While somebody looks at a button. */
const GLANCE_MS = 10_000;

const mailer = (url: string, waitMs: number) =>
  nodemailer.createTransport({
    url,
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
  });

/** Whether the mail server takes mail from here now; a file always does. */
export async function canMail(): Promise<boolean> {
  const { SMTP_URL } = env();
  if (!SMTP_URL) return true;
  try {
    return await mailer(SMTP_URL, GLANCE_MS).verify();
  } catch (error) {
    log().error({ err: error }, "The mail server (SMTP_URL) takes no mail.");
    return false;
  }
}

/** By SMTP where a server is set; otherwise to a file for whoever runs this, and the log names it. */
export async function sendMail({ to, subject, text }: Mail): Promise<void> {
  const { SMTP_URL, MAIL_FROM, STATE_DIR } = env();
  if (SMTP_URL) {
    await mailer(SMTP_URL, WAIT_MS).sendMail({
      ...{ from: MAIL_FROM, to, subject, text },
      // RFC 3834: nobody's holiday notice answers it.
      headers: { "Auto-Submitted": "auto-generated" },
    });
    return;
  }
  const folder = resolve(/* turbopackIgnore: true */ STATE_DIR, "mail");
  const stamp = new Date().toISOString().replace(/[:.]/g, "-");
  const file = join(/* turbopackIgnore: true */ folder, `${stamp}-${randomBytes(4).toString("hex")}.txt`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const head = [`From: ${MAIL_FROM}`, `To: ${to}`, `Subject: ${subject}`].map((l) =>
    l.replace(/[\r\n]+/g, " "),
  );
  await writeFile(file, `${head.join("\n")}\n\n${text}\n`, { mode: 0o600 });
  log().info({ file }, `No mail server is set (SMTP_URL), so the mail “${subject}” was written to ${file}.`);
}
