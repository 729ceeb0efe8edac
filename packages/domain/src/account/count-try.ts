import type { Call } from "../context";
import { requireSystem } from "../internal/access";
import { countInWindow } from "../internal/count";
import { sha256Hex } from "../internal/secret";
import { countedAs } from "../networks";

const WINDOW_S = 300;

interface Try {
  what: string;
  email: string;
  /** Address of whoever tries; null counts tries from wherever. */
  client: string | null;
  max: number;
}

/**
 * Counts one try at somebody's account. False when there were too many in the last five minutes. An address without an
 * account is counted alike, so that the response tells nobody which have one.
 */
export async function countTry({ ctx, input }: Call<Try>): Promise<boolean> {
  requireSystem(ctx);
  const account = `${input.what}|${sha256Hex(input.email.trim().toLowerCase())}`;
  const key = input.client === null ? account : `${account}|${countedAs(input.client)}`;
  const { count } = await countInWindow(ctx.db, key, WINDOW_S, ctx.now());
  return count <= input.max;
}
