import { one, sql } from "@rigmark/db";
import { uuidv7 } from "uuidv7";
import type { Call } from "../context";
import { requireSystem } from "../internal/access";
import { sha256Hex } from "../internal/secret";

/** better-auth clears rows of its table that are older; a longer window would be forgotten. */
const WINDOW_S = 300;

/**
 * Counts one try at somebody's account, wherever it comes from. False when there were too many in the last five
 * minutes. An address without an account is counted alike, so that the response tells nobody which have one.
 */
export async function countTry({
  ctx,
  input,
}: Call<{ what: string; email: string; max: number }>): Promise<boolean> {
  requireSystem(ctx);
  const now = ctx.now().getTime();
  const key = `${input.what}|${sha256Hex(input.email.trim().toLowerCase())}`;
  const row = await one<{ count: number }>(
    ctx.db,
    sql`INSERT INTO rate_limit (id, key, count, last_request) VALUES (${uuidv7()}, ${key}, 1, ${now}::int8)
        ON CONFLICT (key) DO UPDATE SET
          count = CASE WHEN rate_limit.last_request <= ${now - WINDOW_S * 1000}::int8 THEN 1 ELSE rate_limit.count + 1 END,
          last_request = CASE WHEN rate_limit.last_request <= ${now - WINDOW_S * 1000}::int8 THEN excluded.last_request
            ELSE rate_limit.last_request END
        RETURNING count`,
  );
  return (row?.count ?? 1) <= input.max;
}
