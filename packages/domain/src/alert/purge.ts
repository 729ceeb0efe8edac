import type { Ctx } from "../context";
import { requireSystem } from "../internal/access";
import { later } from "../internal/moment";

const KEPT_S = 90 * 86_400;

/** Removes alerts that are older than three months, with their deliveries. */
export async function purgeAlerts({ ctx }: { ctx: Ctx }): Promise<number> {
  requireSystem(ctx);
  const { count } = await ctx.db.prisma.alert.deleteMany({
    where: { created_at: { lt: later(ctx.now(), -KEPT_S) } },
  });
  return count;
}
