import { one, sql } from "@rigmark/db";
import type { Call } from "../context";
import { HOME } from "./ensure-home";
import type { SetupStatus } from "./view";

/** Whether this installation has an owner yet. For anybody: the welcome page asks before anyone can sign in. */
export async function status({ ctx }: { ctx: Call<never>["ctx"] }): Promise<SetupStatus> {
  const row = await one<{ claimed: boolean }>(
    ctx.db,
    sql`SELECT EXISTS (SELECT 1 FROM member m WHERE m.workspace_id = s.workspace_id) AS claimed
        FROM workspace_slug s WHERE slug = ${HOME}`,
  );
  return { claimed: row?.claimed ?? null, home: row ? HOME : null };
}
