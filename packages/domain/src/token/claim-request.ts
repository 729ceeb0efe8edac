import { run, sql } from "@rigmark/db";
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
  await ctx.db.prisma.idempotentRequest.deleteMany({ where: { created_at: { lte: later(now, -KEPT_S) } } });
  const taken = await run(
    ctx.db,
    sql`INSERT INTO idempotent_request (token_id, key, request_hash, created_at)
        VALUES (${tokenId}, ${input.key}, ${hash}, ${now}) ON CONFLICT (token_id, key) DO NOTHING`,
  );
  if (taken > 0) return { state: "new" };
  const row = await ctx.db.prisma.idempotentRequest.findFirst({
    where: { token_id: tokenId, key: input.key },
  });
  if (!row) return { state: "busy" };
  if (!hash.equals(row.request_hash)) return { state: "mismatch" };
  if (row.status !== null) return { state: "answered", status: row.status, body: row.body ?? "" };
  return { state: row.created_at > later(now, -ANSWERED_WITHIN_S) ? "busy" : "unknown" };
}

/** Keeps what was answered, for the next request with the key. */
export async function keepResponse({ ctx, input }: Call<Key & { status: number; body: string }>) {
  await ctx.db.prisma.idempotentRequest.updateMany({
    where: { token_id: tokenOf(ctx), key: input.key },
    data: { status: input.status, body: input.body },
  });
}

/** The request was refused and did nothing: the key is free again. */
export async function forgetRequest({ ctx, input }: Call<Key>) {
  await ctx.db.prisma.idempotentRequest.deleteMany({
    where: { token_id: tokenOf(ctx), key: input.key, status: null },
  });
}

function tokenOf({ actor }: Ctx): string {
  if ((actor.kind === "user" || actor.kind === "workspace") && actor.token) return actor.token.tokenId;
  throw new DomainError("unauthenticated", "An Idempotency-Key needs a token; send one.");
}
