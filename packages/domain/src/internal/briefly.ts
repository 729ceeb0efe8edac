import type { Db } from "@rigmark/db";
import type { Ctx } from "../context";

/** Things that one process remembers at once; the oldest goes first. */
const MOST = 500;

interface Kept {
  ends: number;
  value: Promise<unknown>;
}
const memories = new WeakMap<Db, Map<string, Kept>>();

/**
 * What anybody may ask for again and again is made at most once in so many milliseconds, however many ask. What failed is not
 * remembered. `key` names the thing and everything that it depends on.
 */
export function briefly<T>(ctx: Ctx, key: string, ms: number, make: () => Promise<T>): Promise<T> {
  const memory = memories.get(ctx.db) ?? new Map<string, Kept>();
  memories.set(ctx.db, memory);
  const now = ctx.now().getTime();
  const kept = memory.get(key);
  if (kept && now < kept.ends) return kept.value as Promise<T>;
  const value = make();
  memory.delete(key);
  memory.set(key, { ends: now + ms, value });
  value.catch(() => {
    if (memory.get(key)?.value === value) memory.delete(key);
  });
  // What is over is of no use, and may be megabytes.
  for (const [oldest, { ends }] of memory) {
    if (memory.size <= MOST && now < ends) break;
    memory.delete(oldest);
  }
  return value;
}
