import { one, sql } from "@rigmark/db";
import type { DeviceView } from "@rigmark/results";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { countInWindow } from "../../internal/count";
import { iso } from "../../internal/moment";

const WINDOW_S = 300;
/** Codes that one person may look up in five minutes. */
const MOST = 30;

interface Row {
  user_code: string;
  client: string;
  address: string | null;
  state: Exclude<DeviceView["state"], "expired">;
  created_at: Date;
  expires_at: Date;
  user_id: string | null;
}

/** The sign-in with this code, unless somebody else decided about it. Tries are counted, also those that find one. */
export async function findDevice(ctx: Ctx, userId: string, userCode: string): Promise<DeviceView> {
  const now = ctx.now();
  const counted = await countInWindow(ctx.db, `device-code|${userId}`, WINDOW_S, now);
  if (counted.count > MOST)
    throw new DomainError("rate_limited", "You looked up too many codes; wait five minutes.", {
      retry_after_s: counted.ends_in_s,
    });
  const row = await one<Row>(
    ctx.db,
    sql`SELECT user_code, client, address, state, created_at, expires_at, user_id FROM device_login
        WHERE user_code = ${userCode}`,
  );
  if (!row || (row.user_id !== null && row.user_id !== userId))
    throw new DomainError(
      "not_found",
      "No program waits with this code. Compare it with the one in the terminal; after ten minutes start again there.",
    );
  const { user_id: _, ...rest } = row;
  return {
    ...rest,
    state: row.state === "pending" && row.expires_at <= now ? "expired" : row.state,
    created_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
  };
}
