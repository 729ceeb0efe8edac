import { one, run, sql } from "@rigmark/db";
import type { Call } from "../context";
import { hashSecret, newSecret } from "../secret";
import { requireSystem } from "../workspace/access";
import { createWorkspace } from "../workspace/create";

export const HOME = "home";
/** Any number: two launchers must not make two homes. */
const LOCK = 7_243_002;

export interface Home {
  workspace: string;
  /** False while nobody owns it. */
  claimed: boolean;
  /** For the link to the first sign-up; a new one at each call, and the older ones stop working. Null when claimed. */
  claimToken: string | null;
}

/** Makes the workspace of this installation if there is none, and a token for whoever is to own it. */
export async function ensureHome({ ctx }: { ctx: Call<never>["ctx"] }): Promise<Home> {
  requireSystem(ctx);
  const now = ctx.now();
  return ctx.db.tx(async (tx) => {
    await one(tx, sql`SELECT pg_advisory_xact_lock(${LOCK})`);
    const found = await one<{ workspace_id: string; claimed: boolean }>(
      tx,
      sql`SELECT workspace_id, EXISTS (SELECT 1 FROM member m WHERE m.workspace_id = s.workspace_id) AS claimed
          FROM workspace_slug s WHERE slug = ${HOME}`,
    );
    if (found?.claimed) return { workspace: HOME, claimed: true, claimToken: null };
    const workspaceId =
      found?.workspace_id ?? (await createWorkspace(tx, "Home", HOME, null, now)).workspaceId;
    const claimToken = newSecret("rgmc_");
    await run(tx, sql`DELETE FROM workspace_claim WHERE workspace_id = ${workspaceId}`);
    await run(
      tx,
      sql`INSERT INTO workspace_claim (token_hash, workspace_id, created_at) VALUES (${hashSecret(claimToken)}, ${workspaceId}, ${now})`,
    );
    return { workspace: HOME, claimed: false, claimToken };
  });
}
