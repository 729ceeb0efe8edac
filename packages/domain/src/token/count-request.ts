import type { Call } from "../context";
import { countInWindow } from "../internal/count";

/** Requests that one token may make. */
const WINDOW_S = 60;
const MOST = 600;

/** What is left of the requests that the actor may make in this minute. */
export interface Allowance {
  limit: number;
  window_s: number;
  remaining: number;
  /** Seconds until all of them are there again. */
  reset_s: number;
  allowed: boolean;
}

/** Counts one request of the token that asks. Null for whoever asks without a token. */
export async function countRequest({ ctx }: Pick<Call<void>, "ctx">): Promise<Allowance | null> {
  const { actor } = ctx;
  if ((actor.kind !== "user" && actor.kind !== "workspace") || !actor.token) return null;
  const { count, ends_in_s } = await countInWindow(
    ctx.db,
    `token|${actor.token.tokenId}`,
    WINDOW_S,
    ctx.now(),
  );
  return {
    limit: MOST,
    window_s: WINDOW_S,
    remaining: Math.max(0, MOST - count),
    reset_s: ends_in_s,
    allowed: count <= MOST,
  };
}
