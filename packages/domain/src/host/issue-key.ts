import { run, sql } from "@rigmark/db";
import { uuidv7 } from "uuidv7";
import type { Ctx } from "../context";
import { later } from "../moment";
import { hashSecret, newSecret } from "../secret";
import { storable } from "../text";

const VALID_S = 3600;

/** A key for one enrolment within an hour. The key itself is returned once; its sha256 is kept. */
export async function issueKey(ctx: Ctx, workspaceId: string, name: string | null) {
  const enrollmentId = uuidv7();
  const key = newSecret("rgme_");
  const now = ctx.now();
  const expiresAt = later(now, VALID_S);
  const by = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  await ctx.db.tx(async (tx) => {
    await run(
      tx,
      sql`INSERT INTO enrollment_key (workspace_id, enrollment_id, name, created_by, created_at, expires_at)
          VALUES (${workspaceId}, ${enrollmentId}, ${name === null ? null : storable(name)}, ${by}, ${now}, ${expiresAt})`,
    );
    await run(
      tx,
      sql`INSERT INTO enrollment_lookup (key_hash, workspace_id, enrollment_id)
          VALUES (${hashSecret(key)}, ${workspaceId}, ${enrollmentId})`,
    );
  });
  return { enrollmentId, key, expiresAt };
}
