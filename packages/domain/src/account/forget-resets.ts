import { run, sql } from "@rigmark/db";
import type { Call } from "../context";
import { requireSystem } from "../workspace/access";

/** Once a password was set, no older link sets another. */
export async function forgetResets({ ctx, input }: Call<{ userId: string }>): Promise<void> {
  requireSystem(ctx);
  await run(
    ctx.db,
    sql`DELETE FROM verification WHERE value = ${input.userId} AND identifier LIKE 'reset-password:%'`,
  );
}
