import type { Ctx } from "../context";
import { every } from "../internal/every";
import { purgeRuns } from "../run/purge";
import { expireRuns } from "../schedule/expire";
import { queueDueRuns } from "../schedule/queue-due";
import { purgeWorkspaces } from "../workspace/purge";
import { sweepAttempts } from "./sweep";

const EVERY_MS = 2000;

/** Sweeps for as long as the process lives. Returns a function that ends it. */
export const startSweeper = (ctx: Ctx): (() => void) =>
  every(EVERY_MS, ctx.log, "The sweep", async () => {
    await sweepAttempts({ ctx });
    await expireRuns({ ctx });
    await queueDueRuns({ ctx });
    await purgeRuns({ ctx });
    await purgeWorkspaces({ ctx });
  });
