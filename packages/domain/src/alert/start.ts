import type { Ctx } from "../context";
import { every } from "../internal/every";
import { findAlerts } from "./find";
import { purgeAlerts } from "./purge";
import { type SendMail, sendAlerts } from "./send";

const EVERY_MS = 2000;

/**
 * Finds and sends alerts for as long as the process lives. Apart from the sweep, and each apart from the others: nobody must
 * wait for somebody else's server. Returns a function that ends it.
 */
export function startAlerts(ctx: Ctx, sendMail: SendMail): () => void {
  const ends = [
    every(EVERY_MS, ctx.log, "Finding alerts", async () => {
      await findAlerts({ ctx });
      await purgeAlerts({ ctx });
    }),
    every(EVERY_MS, ctx.log, "Sending alerts", async () => {
      await sendAlerts({ ctx, input: { sendMail, by: "webhook" } });
    }),
    every(EVERY_MS, ctx.log, "Mailing alerts", async () => {
      await sendAlerts({ ctx, input: { sendMail, by: "mail" } });
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
