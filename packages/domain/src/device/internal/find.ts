import { DeviceView } from "@rigmark/results";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { countInWindow } from "../../internal/count";
import { iso } from "../../internal/moment";

const WINDOW_S = 300;
/** Codes that one person may look up in five minutes. */
const MOST = 30;

/** The sign-in with this code, unless somebody else decided about it. Tries are counted, also those that find one. */
export async function findDevice(ctx: Ctx, userId: string, userCode: string): Promise<DeviceView> {
  const now = ctx.now();
  const counted = await countInWindow(ctx.db, `device-code|${userId}`, WINDOW_S, now);
  if (counted.count > MOST)
    throw new DomainError("rate_limited", "You looked up too many codes; wait five minutes.", {
      retry_after_s: counted.ends_in_s,
    });
  const row = await ctx.db.prisma.deviceLogin.findUnique({
    where: { user_code: userCode },
    select: {
      ...{ user_code: true, client: true, address: true, state: true },
      ...{ created_at: true, expires_at: true, user_id: true },
    },
  });
  if (!row || (row.user_id !== null && row.user_id !== userId))
    throw new DomainError(
      "not_found",
      "No program is waiting with this code. Compare it with the code in the terminal. If that is older than ten minutes, start again there.",
    );
  const { user_id: _, ...rest } = row;
  return {
    ...rest,
    state: DeviceView.shape.state.parse(
      row.state === "pending" && row.expires_at <= now ? "expired" : row.state,
    ),
    created_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
  };
}
