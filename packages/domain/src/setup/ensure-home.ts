import { one, run, sql } from "@rigmark/db";
import type { Call } from "../context";
import { requireSystem } from "../internal/access";
import { createWorkspace, HOME } from "../internal/create-workspace";
import { hashSecret, newSecret } from "../internal/secret";

/** Any number: two launchers must not make two homes. */
const LOCK = 7_243_002;

export interface Home {
  workspace: string;
  /** False while nobody owns it. */
  claimed: boolean;
  /** For the link to the first sign-up; a new one at each call, for an hour, and the older ones stop working. Null when claimed. */
  claimToken: string | null;
}

/** Makes the workspace of this installation if there is none, and a token for whoever is to own it. */
export async function ensureHome({ ctx }: { ctx: Call<never>["ctx"] }): Promise<Home> {
  requireSystem(ctx);
  const now = ctx.now();
  return ctx.db.tx(async (tx) => {
    await one(tx, sql`SELECT pg_advisory_xact_lock(${LOCK})`);
    const found = await one<{ workspaceId: string; slug: string; claimed: boolean }>(
      tx,
      sql`SELECT workspace_id AS "workspaceId", slug, EXISTS (SELECT 1 FROM member m WHERE m.workspace_id = w.workspace_id) AS claimed
          FROM workspace w JOIN workspace_slug USING (workspace_id) WHERE w.home`,
    );
    if (found?.claimed) return { workspace: found.slug, claimed: true, claimToken: null };
    const { workspaceId, slug } = found ?? (await createWorkspace(tx, "Home", HOME, null, now));
    const claimToken = newSecret("rgmc_");
    await run(tx, sql`DELETE FROM workspace_claim WHERE workspace_id = ${workspaceId}`);
    await run(
      tx,
      sql`INSERT INTO workspace_claim (token_hash, workspace_id, created_at) VALUES (${hashSecret(claimToken)}, ${workspaceId}, ${now})`,
    );
    return { workspace: slug, claimed: false, claimToken };
  });
}
