import { uuidv7 } from "uuidv7";
import type { Ctx } from "../../context";
import { later } from "../moment";
import { hashSecret, newSecret } from "../secret";
import { printable, storable } from "../text";

const VALID_S = 3600;

/** A key for one enrollment within an hour. The key itself is returned once; its sha256 is kept. */
export async function issueKey(ctx: Ctx, workspaceId: string, name: string | null) {
  const enrollmentId = uuidv7();
  const key = newSecret("rgme_");
  const now = ctx.now();
  const expiresAt = later(now, VALID_S);
  const by = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  await ctx.db.prisma.enrollmentKey.create({
    data: {
      workspace_id: workspaceId,
      enrollment_id: enrollmentId,
      // Without a name that can be seen, the host's own is used.
      name: name !== null && printable(name) !== "" ? storable(name) : null,
      created_by: by,
      created_at: now,
      expires_at: expiresAt,
      lookup: { create: { key_hash: hashSecret(key) } },
    },
  });
  return { enrollmentId, key, expiresAt };
}
