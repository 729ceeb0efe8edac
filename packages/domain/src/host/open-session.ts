import { createPublicKey, verify } from "node:crypto";
import { one, sql } from "@rigmark/db";
import { type SessionRequest, type SessionResponse, sessionMessage } from "@rigmark/protocol";
import type { z } from "zod";
import type { Call } from "../context";
import { DomainError } from "../error";
import { later } from "../internal/moment";
import { hashSecret, newSecret } from "../internal/secret";

const SESSION_S = 3600;

function signedBy(publicKey: string, message: string, signature: string): boolean {
  const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: publicKey } });
  return verify(null, Buffer.from(message, "utf8"), key, Buffer.from(signature, "base64url"));
}

/** Second half: the signed nonce buys an hour. The nonce is gone with the first try, right or wrong. */
export async function openSession({
  ctx,
  input,
}: Call<z.infer<typeof SessionRequest>>): Promise<z.infer<typeof SessionResponse>> {
  const now = ctx.now();
  const row = await one<{ workspace_id: string; public_key: string; revoked_at: Date | null }>(
    ctx.db,
    sql`WITH used AS (
          DELETE FROM host_nonce WHERE nonce_hash = ${hashSecret(input.nonce)} AND host_id = ${input.host_id}
            AND protocol = ${input.protocol} AND expires_at > ${now} RETURNING workspace_id, host_id)
        SELECT h.workspace_id, h.public_key, h.revoked_at FROM used JOIN host h USING (workspace_id, host_id)`,
  );
  if (!row)
    throw new DomainError(
      "unauthenticated",
      "The nonce was already used, has expired, or is for another host; ask for a new one.",
    );
  if (row.revoked_at)
    throw new DomainError("revoked", "This host was removed from its workspace; enroll it again to use it.");
  if (!signedBy(row.public_key, sessionMessage(input.host_id, input.nonce), input.signature)) {
    throw new DomainError(
      "unauthenticated",
      "The signature does not fit the key of this host; enroll it again.",
    );
  }
  const token = newSecret("rgms_");
  await ctx.db.prisma.hostSession.deleteMany({ where: { expires_at: { lt: now } } });
  await ctx.db.prisma.hostSession.create({
    data: {
      token_hash: hashSecret(token),
      workspace_id: row.workspace_id,
      host_id: input.host_id,
      created_at: now,
      expires_at: later(now, SESSION_S),
    },
  });
  return { token, expires_in_s: SESSION_S };
}
