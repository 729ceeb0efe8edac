import { one, sql } from "@rigmark/db";
import type { Call } from "../context";
import { CLAIM_WORDS, claimLink } from "./claim-link";
import type { SetupStatus } from "./view";

/** Whether this installation has an owner yet. For anybody: the welcome page asks before anyone can sign in. */
export async function status({ ctx, input }: Call<{ token?: string | undefined }>): Promise<SetupStatus> {
  const row = await one<{ slug: string; claimed: boolean }>(
    ctx.db,
    sql`SELECT s.slug, EXISTS (SELECT 1 FROM member m WHERE m.workspace_id = w.workspace_id) AS claimed
        FROM workspace w JOIN workspace_slug s USING (workspace_id) WHERE w.home`,
  );
  const found = input.token ? await claimLink(ctx.db, input.token, ctx.now()) : null;
  // Their account may be the one that was made with it; taking over is what is left.
  const state = found === "used" && row?.claimed === false && ctx.actor.kind === "user" ? "usable" : found;
  return {
    claimed: row?.claimed ?? null,
    home: row?.slug ?? null,
    link: state && { state, message: state === "usable" ? null : CLAIM_WORDS[state] },
  };
}
