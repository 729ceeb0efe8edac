import { run, sql } from "@rigmark/db";
import type { Call } from "../context";
import { requireSystem } from "../internal/access";

/**
 * Once a password was set, no older link sets another, and no token that was made before works: whoever made it may be who
 * knew the old password. Workspaces' tokens go on.
 */
export async function forgetResets({ ctx, input }: Call<{ userId: string }>): Promise<void> {
  requireSystem(ctx);
  await ctx.db.prisma.verification.deleteMany({
    where: { value: input.userId, identifier: { startsWith: "reset-password:" } },
  });
  await ctx.db.tx(async (tx) => {
    await run(
      tx,
      sql`UPDATE token SET revoked_at = ${ctx.now()} WHERE user_id = ${input.userId} AND revoked_at IS NULL`,
    );
    await run(tx, sql`DELETE FROM device_login WHERE user_id = ${input.userId}`);
  });
}
