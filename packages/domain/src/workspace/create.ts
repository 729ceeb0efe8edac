import { one, sql } from "@rigmark/db";
import type { WorkspaceView } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { requirePerson } from "../internal/access";
import { audit } from "../internal/audit";
import { createWorkspace as insertWorkspace, slugFrom } from "../internal/create-workspace";
import { nameOf } from "../internal/name";
import { storable } from "../internal/text";
import { getWorkspace } from "./get";

/** That one person owns. */
const MOST = 20;

/** Another workspace, whose owner is whoever makes it. Its address is made from its name and never changes. */
export async function createWorkspace({ ctx, input }: Call<{ name: string }>): Promise<WorkspaceView> {
  const { userId } = requirePerson(ctx);
  const name = nameOf(storable(input.name), "workspace");
  const slug = await ctx.db.tx(async (tx) => {
    // Locked, so that several at once are counted.
    await one(tx, sql`SELECT 1 AS locked FROM "user" WHERE id = ${userId} FOR NO KEY UPDATE`);
    const owned = await one<{ n: number }>(
      tx,
      sql`SELECT count(*)::int AS n FROM member JOIN workspace w USING (workspace_id)
          WHERE user_id = ${userId} AND role = 'owner' AND w.deleted_at IS NULL`,
    );
    if ((owned?.n ?? 0) >= MOST)
      throw new DomainError("state", `You own ${MOST} workspaces already; delete one, or use one of them.`);
    const made = await insertWorkspace(tx, name, slugFrom(name), userId, ctx.now());
    await audit(tx, ctx, { workspaceId: made.workspaceId, what: "workspace-created" });
    return made.slug;
  });
  return getWorkspace({ ctx, input: { workspace: slug } });
}
