import type { Ctx } from "../context";
import { every } from "../internal/every";
import { findAlerts } from "./find";
import { purgeAlerts } from "./purge";
import { type SendMail, sendAlerts } from "./send";

const EVERY_MS = 2000;

/**
 * Finds and sends alerts for as long as the process lives. Apart from the sweep, which must not wait for somebody else's
 * server. Returns a function that ends it.
 */
export const startAlerts = (ctx: Ctx, sendMail: SendMail): (() => void) =>
  every(EVERY_MS, ctx.log, "Sending alerts", async () => {
    await findAlerts({ ctx });
    await sendAlerts({ ctx, input: { sendMail } });
    await purgeAlerts({ ctx });
  });
