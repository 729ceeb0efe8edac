import { one, run, sql, type Tx } from "@rigmark/db";
import type { SetupClaimed } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { CLAIM_WORDS, claimLink, oldestClaim } from "../internal/claim-link";
import { addMember } from "../internal/create-workspace";
import { hashSecret } from "../internal/secret";

/** Makes the signed-in person owner of the workspace that the token is for: one owner, within an hour. */
export async function claimHome({ ctx, input }: Call<{ token: string }>): Promise<SetupClaimed> {
  const { actor } = ctx;
  if (actor.kind !== "user" || actor.token)
    throw new DomainError("unauthenticated", "Sign up or sign in first, then open the link again.");
  const now = ctx.now();
  return ctx.db.tx(async (tx) => {
    // Locked, so that of two people at once the second one sees the first one's membership.
    const link = await one<{ workspace_id: string; slug: string; fresh: boolean }>(
      tx,
      sql`SELECT c.workspace_id, s.slug, c.created_at > ${oldestClaim(now)} AS fresh
          FROM workspace_claim c JOIN workspace_slug s USING (workspace_id)
          WHERE c.token_hash = ${hashSecret(input.token)} FOR UPDATE OF c`,
    );
    const taken =
      link?.fresh &&
      (await one(
        tx,
        sql`UPDATE workspace_claim c SET used_at = COALESCE(used_at, ${now}) WHERE c.token_hash = ${hashSecret(input.token)}
              AND NOT EXISTS (SELECT 1 FROM member m WHERE m.workspace_id = c.workspace_id)
            RETURNING 1 AS taken`,
      ));
    if (!taken) {
      const mine = await one<{ slug: string }>(
        tx,
        sql`SELECT s.slug FROM workspace_claim c JOIN workspace_slug s USING (workspace_id) JOIN member m USING (workspace_id)
            WHERE c.token_hash = ${hashSecret(input.token)} AND m.user_id = ${actor.userId} AND m.role = 'owner'`,
      );
      // The page was loaded again.
      if (mine) return { workspace: mine.slug };
      const state = await claimLink(tx, input.token, now);
      throw new DomainError("state", CLAIM_WORDS[state === "usable" ? "used" : state]);
    }
    await dropUnused(tx, actor.userId, now);
    await addMember(tx, link.workspace_id, actor.userId, now);
    return { workspace: link.slug };
  });
}

/**
 * Whoever makes an account with the link has the workspace that everybody gets, and needs none beside home: with two of them, each
 * command asks for `--workspace`. Only that one has no audit event: one that somebody made, renamed or set up has.
 */
async function dropUnused(tx: Tx, userId: string, now: Date): Promise<void> {
  // What another tab is just putting there is seen below.
  await run(
    tx,
    sql`SELECT 1 FROM workspace w JOIN member m USING (workspace_id) WHERE m.user_id = ${userId} FOR UPDATE OF w`,
  );
  await run(
    tx,
    sql`DELETE FROM workspace w USING member mine
        WHERE mine.workspace_id = w.workspace_id AND mine.user_id = ${userId} AND w.created_at > ${oldestClaim(now)}
          AND NOT EXISTS (SELECT 1 FROM audit_event a WHERE a.workspace_id = w.workspace_id)
          AND NOT EXISTS (SELECT 1 FROM device_login d WHERE d.workspace_id = w.workspace_id)
          AND NOT EXISTS (SELECT 1 FROM member m WHERE m.workspace_id = w.workspace_id AND m.user_id <> ${userId})
          AND NOT EXISTS (SELECT 1 FROM invitation i WHERE i.workspace_id = w.workspace_id)
          AND NOT EXISTS (SELECT 1 FROM token t WHERE t.workspace_id = w.workspace_id)
          AND NOT EXISTS (SELECT 1 FROM enrollment_key k WHERE k.workspace_id = w.workspace_id)
          AND NOT EXISTS (SELECT 1 FROM host h WHERE h.workspace_id = w.workspace_id)
          AND NOT EXISTS (SELECT 1 FROM run r WHERE r.workspace_id = w.workspace_id)`,
  );
}
