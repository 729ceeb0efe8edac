import type { Call } from "../context";
import { requireSystem } from "../internal/access";

/** Once a password was set, no older link sets another. */
export async function forgetResets({ ctx, input }: Call<{ userId: string }>): Promise<void> {
  requireSystem(ctx);
  await ctx.db.prisma.verification.deleteMany({
    where: { value: input.userId, identifier: { startsWith: "reset-password:" } },
  });
}
