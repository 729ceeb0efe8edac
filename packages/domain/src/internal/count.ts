import { one, type Queryable, sql } from "@rigmark/db";
import { uuidv7 } from "uuidv7";

export interface Counted {
  /** Within the window that is open. */
  count: number;
  /** Seconds until the window ends. */
  ends_in_s: number;
}

/**
 * Counts one more of something in a fixed window, in all processes together. better-auth clears rows of its table that are
 * older than five minutes, so no window is longer.
 */
export async function countInWindow(
  db: Queryable,
  key: string,
  windowS: number,
  now: Date,
): Promise<Counted> {
  const at = now.getTime();
  const oldest = at - windowS * 1000;
  const row = await one<{ count: number; last_request: number }>(
    db,
    sql`INSERT INTO rate_limit (id, key, count, last_request) VALUES (${uuidv7()}, ${key}, 1, ${at}::int8)
        ON CONFLICT (key) DO UPDATE SET
          count = CASE WHEN rate_limit.last_request <= ${oldest}::int8 THEN 1 ELSE rate_limit.count + 1 END,
          last_request = CASE WHEN rate_limit.last_request <= ${oldest}::int8 THEN excluded.last_request
            ELSE rate_limit.last_request END
        RETURNING count, last_request`,
  );
  const began = row?.last_request ?? at;
  return { count: row?.count ?? 1, ends_in_s: Math.max(1, Math.ceil((began + windowS * 1000 - at) / 1000)) };
}
