import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { countInWindow } from "../../internal/count";
import { testMessage } from "./message";
import { putAlert, type Receiver } from "./outbox";

const WINDOW_S = 300;
const MOST = 10;

/** A test goes the way of an alert, so that the page shows what would become of one. */
export async function putTest(
  ctx: Ctx,
  { workspaceId, slug }: { workspaceId: string; slug: string },
  receiver: Receiver,
): Promise<void> {
  const now = ctx.now();
  const { count, ends_in_s } = await countInWindow(ctx.db, `alert-test|${workspaceId}`, WINDOW_S, now);
  if (count > MOST)
    throw new DomainError("rate_limited", "There were too many tests; wait five minutes.", {
      retry_after_s: ends_in_s,
    });
  const message = testMessage(ctx, slug);
  await ctx.db.tx((tx) => putAlert(tx, { workspaceId, message, changes: [], receivers: [receiver] }, now));
}
