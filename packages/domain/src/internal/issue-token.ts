import { one, type Queryable, run, sql } from "@rigmark/db";
import type { Scope, TokenDays } from "@rigmark/results";
import { uuidv7 } from "uuidv7";
import { DomainError } from "../error";
import { later } from "./moment";
import { hashSecret, newSecret } from "./secret";
import { printable, storable } from "./text";

/** What stands in lists: enough to know a token again, too little to guess it. */
const PREFIX_CHARS = 8;
/** Of one person or one workspace, that still work. */
const MOST = 100;
const DAY_S = 86_400;

export interface NewToken {
  /** Whose it is. Both: the person's, within that workspace. */
  userId: string | null;
  workspaceId: string | null;
  name: string;
  scopes: readonly Scope[];
  days: TokenDays;
  createdBy: string;
}

/** Makes a token. The token itself is returned once; its sha256 is kept. */
export async function issueToken(tx: Queryable, given: NewToken, now: Date) {
  const { userId, workspaceId, scopes, createdBy, days } = given;
  const live = await one<{ n: number }>(
    tx,
    sql`SELECT count(*)::int AS n FROM token WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
          AND CASE WHEN ${userId}::text IS NULL THEN user_id IS NULL AND workspace_id = ${workspaceId}::uuid
            ELSE user_id = ${userId}::text END`,
  );
  if ((live?.n ?? 0) >= MOST)
    throw new DomainError("state", `There are already ${MOST} tokens; revoke one that you do not need.`);
  const token = newSecret("rgm_");
  const tokenId = uuidv7();
  const expiresAt = days === null ? null : later(now, days * DAY_S);
  const name = printable(storable(given.name)) || "token";
  await run(
    tx,
    sql`INSERT INTO token (token_id, user_id, workspace_id, name, scopes, prefix, created_by, created_at, expires_at)
        VALUES (${tokenId}, ${userId}, ${workspaceId}, ${name}, ${scopes}, ${token.slice(0, PREFIX_CHARS)}, ${createdBy},
          ${now}, ${expiresAt})`,
  );
  await run(
    tx,
    sql`INSERT INTO token_lookup (token_hash, token_id) VALUES (${hashSecret(token)}, ${tokenId})`,
  );
  return { token, tokenId };
}
