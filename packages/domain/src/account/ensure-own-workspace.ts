import { one, sql } from "@rigmark/db";
import type { Call } from "../context";
import { requireSystem } from "../internal/access";
import { createWorkspace, slugFrom } from "../internal/create-workspace";
import { cleanPersonName } from "./internal/person";

/** A workspace of one's own for each new person. Doing it again does nothing. */
export async function ensureOwnWorkspace({
  ctx,
  input,
}: Call<{ userId: string; name: string; email: string }>): Promise<void> {
  requireSystem(ctx);
  const name = cleanPersonName(input.name) || cleanPersonName(input.email.split("@")[0] ?? "");
  await ctx.db.tx(async (tx) => {
    const has = await one(tx, sql`SELECT 1 FROM member WHERE user_id = ${input.userId} LIMIT 1`);
    if (!has) await createWorkspace(tx, name, slugFrom(name), input.userId, ctx.now());
  });
}
