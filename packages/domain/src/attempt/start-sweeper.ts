import { forget } from "../account/forget";
import type { Ctx } from "../context";
import { every } from "../internal/every";
import { purgeRuns } from "../run/purge";
import { expireRuns } from "../schedule/expire";
import { queueDueRuns } from "../schedule/queue-due";
import { applyRetention } from "../workspace/apply-retention";
import { purgeWorkspaces } from "../workspace/purge";
import { settleAttempts } from "./settle";
import { sweepAttempts } from "./sweep";

const EVERY_MS = 2000;
/** Of attempts whose end was interrupted. */
const SETTLE_EVERY_MS = 30_000;
/** What is counted in days need not be looked at each time. */
const RETENTION_EVERY_MS = 60_000;

/** Sweeps for as long as the process lives. Returns a function that ends it. */
export function startSweeper(ctx: Ctx): () => void {
  const ends = [
    every(EVERY_MS, ctx.log, "The sweep", async () => {
      await sweepAttempts({ ctx });
      await expireRuns({ ctx });
      await queueDueRuns({ ctx });
      await purgeRuns({ ctx });
      await purgeWorkspaces({ ctx });
    }),
    every(SETTLE_EVERY_MS, ctx.log, "Writing missing results", () => settleAttempts({ ctx })),
    every(RETENTION_EVERY_MS, ctx.log, "The retention", async () => {
      await applyRetention({ ctx });
      await forget({ ctx });
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
