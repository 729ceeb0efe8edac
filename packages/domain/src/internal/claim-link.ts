import { one, type Queryable, sql } from "@rigmark/db";
import type { ClaimLink } from "@rigmark/results";
import { hashSecret } from "./secret";

/** How long the link for the first owner works. */
const CLAIM_S = 3600;

/** The moment before which a link must have been printed to be too old. */
export const oldestClaim = (now: Date): Date => new Date(now.getTime() - CLAIM_S * 1000);

/** What the link with this token is good for now. Links that a newer one replaced are unknown. */
export async function claimLink(db: Queryable, token: string, now: Date): Promise<ClaimLink> {
  const row = await one<{ claimed: boolean; used: boolean; expired: boolean }>(
    db,
    sql`SELECT EXISTS (SELECT 1 FROM member m WHERE m.workspace_id = c.workspace_id) AS claimed, used_at IS NOT NULL AS used,
               created_at <= ${oldestClaim(now)} AS expired
        FROM workspace_claim c WHERE token_hash = ${hashSecret(token)}`,
  );
  if (!row) return "unknown";
  if (row.claimed) return "used";
  // Without an owner a new link helps, also whoever made an account with this one.
  return row.expired ? "expired" : row.used ? "used" : "usable";
}

/** Uses the link up for one new account, which can still take the installation over. False when it was not usable. */
export async function useClaimLink(db: Queryable, token: string, now: Date): Promise<boolean> {
  const row = await one(
    db,
    sql`UPDATE workspace_claim c SET used_at = ${now}
        WHERE token_hash = ${hashSecret(token)} AND used_at IS NULL AND created_at > ${oldestClaim(now)}
          AND NOT EXISTS (SELECT 1 FROM member m WHERE m.workspace_id = c.workspace_id)
        RETURNING 1 AS used`,
  );
  return row !== null;
}

const PRINT_ANEW =
  "To print a new one, run `./rig up` again, or `docker compose restart web` if Rigmark runs in containers.";
/** What a person is told of a link that does not work. */
export const CLAIM_WORDS: Record<Exclude<ClaimLink, "usable">, string> = {
  used: "This link was used already. It works once; sign in with the account that was made then.",
  expired: `This link has expired: it works for one hour. ${PRINT_ANEW}`,
  unknown: `This link is incomplete, or a newer one replaced it. ${PRINT_ANEW}`,
};
