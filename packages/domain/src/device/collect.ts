import { one, sql } from "@rigmark/db";
import type { Scope, TokenDays } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { countInWindow } from "../internal/count";
import { issueToken } from "../internal/issue-token";
import { hashSecret } from "../internal/secret";
import { countedAs } from "../networks";

const WINDOW_S = 300;
/** Questions from one address in five minutes: five programs that ask as often as they were told to. */
const MOST = 300;

interface Approved {
  client: string;
  user_id: string | null;
  workspace_id: string | null;
  scopes: Scope[];
  token_days: number | null;
}

/** What the program that waits gets: a token once, or null while nobody has decided. */
export type Collected = { token: string; person: { name: string; email: string } } | null;

/**
 * Trades a device code for a token. The token is made here and not at the approval, so that it is stored as a hash alone;
 * one conditional UPDATE hands it to one caller.
 */
export async function collectDevice({
  ctx,
  input,
}: Call<{ deviceCode: string; address: string | null }>): Promise<Collected> {
  const now = ctx.now();
  const counted = await countInWindow(
    ctx.db,
    `device-poll|${countedAs(input.address ?? "unknown")}`,
    WINDOW_S,
    now,
  );
  if (counted.count > MOST)
    throw new DomainError("rate_limited", "You ask too often; wait five seconds between requests.", {
      retry_after_s: counted.ends_in_s,
    });
  const hash = hashSecret(input.deviceCode);
  const made = await ctx.db.tx(async (tx) => {
    const taken = await one<Approved>(
      tx,
      sql`UPDATE device_login SET state = 'collected'
          WHERE device_hash = ${hash} AND state = 'approved' AND expires_at > ${now}
          RETURNING client, user_id, workspace_id, scopes, token_days`,
    );
    if (!taken || taken.user_id === null) return null;
    const { token } = await issueToken(
      tx,
      {
        userId: taken.user_id,
        workspaceId: taken.workspace_id,
        name: taken.client,
        scopes: taken.scopes,
        days: taken.token_days as TokenDays,
        createdBy: taken.user_id,
      },
      now,
    );
    const person = await one<{ name: string; email: string }>(
      tx,
      sql`SELECT name, email FROM "user" WHERE id = ${taken.user_id}`,
    );
    return { token, person: person ?? { name: "", email: "" } };
  });
  if (made) return made;
  const row = await ctx.db.prisma.deviceLogin.findFirst({
    where: { device_hash: hash },
    select: { state: true, expires_at: true },
  });
  if (row?.state === "denied") throw new DomainError("gone", "The sign-in was denied in the browser.");
  if (row?.state === "collected")
    throw new DomainError("gone", "This sign-in was used already; run `rigmark login` again.");
  if (!row || row.expires_at <= now)
    throw new DomainError("gone", "This sign-in expired after ten minutes; run `rigmark login` again.");
  return null;
}
