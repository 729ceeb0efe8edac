import type { Call } from "../context";
import { requireSystem } from "../internal/access";
import { countInWindow } from "../internal/count";
import { sha256Hex } from "../internal/secret";

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
  const key = `${input.what}|${sha256Hex(input.email.trim().toLowerCase())}`;
  const { count } = await countInWindow(ctx.db, key, WINDOW_S, ctx.now());
  return count <= input.max;
}
