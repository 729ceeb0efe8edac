import { one, run, sql } from "@rigmark/db";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { later } from "../internal/moment";
import { hashSecret } from "../internal/secret";

const KEPT_S = 86_400;
/** Nobody works on a request for longer than this. */
const ANSWERED_WITHIN_S = 60;

/** What became of a request with this Idempotency-Key. */
export type Claimed =
  | { state: "new" }
  /** It was answered before: the same again. */
  | { state: "answered"; status: number; body: string }
  /** Another one of the same key is being answered. */
  | { state: "busy" }
  /** One was begun and its end is unknown: the app was stopped meanwhile. */
  | { state: "unknown" }
  /** The key was used for something else. */
  | { state: "mismatch" };

interface Key {
  key: string;
}

/** Takes the key for this request, once within 24 hours. `request` is method, path and body. */
export async function claimRequest({ ctx, input }: Call<Key & { request: string }>): Promise<Claimed> {
  const tokenId = tokenOf(ctx);
  const now = ctx.now();
  const hash = hashSecret(input.request);
  await run(ctx.db, sql`DELETE FROM idempotent_request WHERE created_at <= ${later(now, -KEPT_S)}`);
  const taken = await run(
    ctx.db,
    sql`INSERT INTO idempotent_request (token_id, key, request_hash, created_at)
        VALUES (${tokenId}, ${input.key}, ${hash}, ${now}) ON CONFLICT (token_id, key) DO NOTHING`,
  );
  if (taken > 0) return { state: "new" };
  const row = await one<{ same: boolean; status: number | null; body: string | null; created_at: Date }>(
    ctx.db,
    sql`SELECT request_hash = ${hash} AS same, status, body, created_at FROM idempotent_request
        WHERE token_id = ${tokenId} AND key = ${input.key}`,
  );
  if (!row) return { state: "busy" };
  if (!row.same) return { state: "mismatch" };
  if (row.status !== null) return { state: "answered", status: row.status, body: row.body ?? "" };
  return { state: row.created_at > later(now, -ANSWERED_WITHIN_S) ? "busy" : "unknown" };
}

/** Keeps what was answered, for the next request with the key. */
export async function keepResponse({ ctx, input }: Call<Key & { status: number; body: string }>) {
  await run(
    ctx.db,
    sql`UPDATE idempotent_request SET status = ${input.status}, body = ${input.body}
        WHERE token_id = ${tokenOf(ctx)} AND key = ${input.key}`,
  );
}

/** The request was refused and did nothing: the key is free again. */
export async function forgetRequest({ ctx, input }: Call<Key>) {
  await run(
    ctx.db,
    sql`DELETE FROM idempotent_request WHERE token_id = ${tokenOf(ctx)} AND key = ${input.key} AND status IS NULL`,
  );
}

function tokenOf({ actor }: Ctx): string {
  if ((actor.kind === "user" || actor.kind === "workspace") && actor.token) return actor.token.tokenId;
  throw new DomainError("unauthenticated", "An Idempotency-Key needs a token; send one.");
}
