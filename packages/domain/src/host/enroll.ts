import { one, run, sql } from "@rigmark/db";
import { type EnrollRequest, type EnrollResponse, PublicKey } from "@rigmark/protocol";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import type { Call } from "../context";
import { DomainError } from "../error";
import { slugOf } from "../internal/access";
import { audit } from "../internal/audit";
import { topics } from "../internal/bus";
import { requireHostRoom } from "../internal/quota";
import { hashSecret } from "../internal/secret";
import { atMost, printable, storable } from "../internal/text";
import { isWeakKey } from "./internal/public-key";

interface Key {
  workspace_id: string;
  enrollment_id: string;
  name: string | null;
  expires_at: Date;
  used_at: Date | null;
  host_id: string | null;
  used_by_key: string | null;
}

/** Trades an enrollment key for a host. The key is taken by one conditional UPDATE, so of two agents one wins. */
export async function enrollHost({
  ctx,
  input,
}: Call<z.infer<typeof EnrollRequest>>): Promise<z.infer<typeof EnrollResponse>> {
  const publicKey = PublicKey.parse(input.public_key);
  const now = ctx.now();
  const key = await one<Key>(
    ctx.db,
    sql`SELECT k.workspace_id, k.enrollment_id, k.name, k.expires_at, k.used_at, k.host_id, h.public_key AS used_by_key
        FROM enrollment_lookup l JOIN enrollment_key k USING (workspace_id, enrollment_id)
        JOIN workspace w ON w.workspace_id = k.workspace_id AND w.deleted_at IS NULL
        LEFT JOIN host h ON h.workspace_id = k.workspace_id AND h.host_id = k.host_id
        WHERE l.key_hash = ${hashSecret(input.key)}`,
  );
  if (!key) {
    throw new DomainError(
      "key_unknown",
      "This enrollment key is not known here; copy the whole command from the page again.",
    );
  }
  if (isWeakKey(publicKey)) {
    throw new DomainError(
      "invalid",
      "Anybody could forge signatures for this public key; make a new identity.",
    );
  }
  const answer = async (hostId: string, name: string) => ({
    host_id: hostId,
    host_name: name,
    host_url: `${ctx.config.publicUrl}/w/${await slugOf(ctx, key.workspace_id)}/hosts/${hostId}`,
  });
  // The same agent asks again when the response to its first request was lost.
  if (key.host_id && key.used_by_key === publicKey) {
    const host = await ctx.db.prisma.host.findFirst({
      where: { workspace_id: key.workspace_id, host_id: key.host_id },
      select: { name: true },
    });
    return answer(key.host_id, host?.name ?? "");
  }
  const hostId = uuidv7();
  const hostname = storable(input.hostname);
  const name = key.name ?? (atMost(printable(hostname), 80) || "host");
  const taken = await ctx.db.tx(async (tx) => {
    const updated = await run(
      tx,
      sql`UPDATE enrollment_key SET used_at = ${now}, host_id = ${hostId}
          WHERE workspace_id = ${key.workspace_id} AND enrollment_id = ${key.enrollment_id}
            AND used_at IS NULL AND expires_at > ${now}`,
    );
    if (updated === 0) return false;
    await requireHostRoom(tx, ctx, key.workspace_id);
    await run(
      tx,
      sql`INSERT INTO host (workspace_id, host_id, name, public_key, hostname, agent_version, enrolled_at)
          VALUES (${key.workspace_id}, ${hostId}, ${name}, ${publicKey}, ${hostname}, ${storable(input.agent_version)}, ${now})`,
    );
    await run(
      tx,
      sql`INSERT INTO host_lookup (host_id, workspace_id) VALUES (${hostId}, ${key.workspace_id})`,
    );
    await audit(tx, ctx, { workspaceId: key.workspace_id, what: "host-enrolled", subject: name });
    return true;
  });
  if (!taken) {
    throw key.used_at === null && key.expires_at <= now
      ? new DomainError(
          "key_expired",
          "This enrollment key has expired: it works for one hour. Make a new one on the page “Add a host”.",
        )
      : new DomainError(
          "key_used",
          "This enrollment key was used already; make a new one on the page “Add a host”.",
        );
  }
  ctx.bus.hint(topics.enrollment(key.enrollment_id));
  return answer(hostId, name);
}
