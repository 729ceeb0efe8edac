import { run, sql } from "@rigmark/db";
import type { Ctx } from "../context";
import { requireSystem } from "../internal/access";
import { later } from "../internal/moment";

const DAY_S = 86_400;

/** Removes what only says who somebody was and where: sessions a week after their end, invitations a month after theirs. */
export async function forget({ ctx }: { ctx: Ctx }): Promise<void> {
  requireSystem(ctx);
  const now = ctx.now();
  await run(ctx.db, sql`DELETE FROM session WHERE expires_at < ${later(now, -7 * DAY_S)}`);
  await run(ctx.db, sql`DELETE FROM invitation WHERE expires_at < ${later(now, -30 * DAY_S)}`);
}
