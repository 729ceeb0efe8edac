import type { ReportDays } from "@rigmark/results";
import type { Ctx } from "../../context";

const DAY_MS = 86_400_000;

/** The moment so many days from now; null: never. */
export const expiryAfter = (ctx: Ctx, days: ReportDays): Date | null =>
  days === null ? null : new Date(ctx.now().getTime() + days * DAY_MS);

/** What anybody may still read: neither revoked nor expired, of a workspace that is there. */
export const readableNow = (ctx: Ctx) => ({
  revoked_at: null,
  OR: [{ expires_at: null }, { expires_at: { gt: ctx.now() } }],
});
