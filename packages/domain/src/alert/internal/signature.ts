import { createHmac } from "node:crypto";

/** Of the time in seconds, a dot and the body, so that an old message cannot be sent again with a new time. */
export function signatureOf(secret: string, body: string, now: Date): string {
  const t = Math.floor(now.getTime() / 1000);
  const v1 = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  return `t=${t},v1=${v1}`;
}
