import { createPublicKey, verify } from "node:crypto";
import { type SessionRequest, type SessionResponse, sessionMessage } from "@rigmark/protocol";
import type { z } from "zod";
import type { Call } from "../context";
import { DomainError } from "../error";
import { revoked } from "../internal/host/revoked";
import { later } from "../internal/moment";
import { hashSecret, newSecret } from "../internal/secret";
import { expiryOf } from "./internal/nonce";

const SESSION_S = 3600;
/** Used nonces are kept longer than they work: the clocks of several processes differ. */
const KEPT_S = 300;

function signedBy(publicKey: string, message: string, signature: string): boolean {
  const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: publicKey } });
  return verify(null, Buffer.from(message, "utf8"), key, Buffer.from(signature, "base64url"));
}

const unusable = () =>
  new DomainError(
    "unauthenticated",
    "The nonce was already used, has expired, or is for another host; ask for a new one.",
  );

/** Second half: the signed nonce buys an hour, once. */
export async function openSession({
  ctx,
  input,
}: Call<z.infer<typeof SessionRequest>>): Promise<z.infer<typeof SessionResponse>> {
  const { prisma } = ctx.db;
  const now = ctx.now();
  const { nonce, protocol } = input;
  const expiry = expiryOf(ctx.config.nonceSecret, { hostId: input.host_id, protocol }, nonce, now);
  if (!expiry) throw unusable();
  const host = await prisma.host.findFirst({
    where: { lookup: { host_id: input.host_id } },
    select: { workspace_id: true, public_key: true, revoked_at: true },
  });
  if (!host) throw unusable();
  if (host.revoked_at) throw revoked();
  if (!signedBy(host.public_key, sessionMessage(input.host_id, nonce), input.signature)) {
    throw new DomainError(
      "unauthenticated",
      "The signature does not fit the key of this host; enroll it again.",
    );
  }
  const of = { workspace_id: host.workspace_id, host_id: input.host_id };
  await prisma.hostNonce.deleteMany({ where: { expires_at: { lt: later(now, -KEPT_S) } } });
  const { count } = await prisma.hostNonce.createMany({
    data: [{ ...of, nonce_hash: hashSecret(nonce), protocol, expires_at: expiry }],
    skipDuplicates: true,
  });
  if (count === 0) throw unusable();
  const token = newSecret("rgms_");
  await prisma.hostSession.deleteMany({ where: { expires_at: { lt: now } } });
  await prisma.hostSession.create({
    data: { ...of, token_hash: hashSecret(token), created_at: now, expires_at: later(now, SESSION_S) },
  });
  return { token, expires_in_s: SESSION_S };
}
