import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const VALID_S = 60;
const EXPIRY_BYTES = 4;
const RANDOM_BYTES = 12;
const MAC_BYTES = 16;

/** What an agent signs is for one host and one version of the protocol. */
interface Purpose {
  hostId: string;
  protocol: number;
}

/**
 * Something to sign, which says itself until when and for whom, under a MAC. So nothing is stored before it is used: anybody
 * who knows a host's id may ask, as often as they like.
 */
export function newNonce(secret: string, purpose: Purpose, now: Date): string {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeUInt32BE(Math.floor(now.getTime() / 1000) + VALID_S);
  const said = Buffer.concat([expiry, randomBytes(RANDOM_BYTES)]);
  return Buffer.concat([said, macOf(secret, purpose, said)]).toString("base64url");
}

/** Until when it may be used; null where it may not: it has expired, is for something else, or is not from here. */
export function expiryOf(secret: string, purpose: Purpose, nonce: string, now: Date): Date | null {
  const bytes = Buffer.from(nonce, "base64url");
  if (bytes.length !== EXPIRY_BYTES + RANDOM_BYTES + MAC_BYTES) return null;
  const said = bytes.subarray(0, -MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), macOf(secret, purpose, said))) return null;
  const expiry = new Date(said.readUInt32BE() * 1000);
  return expiry > now ? expiry : null;
}

const macOf = (secret: string, { hostId, protocol }: Purpose, said: Buffer): Buffer =>
  createHmac("sha256", `rigmark-nonce-v1|${secret}`)
    .update(`${hostId}|${protocol}|`)
    .update(said)
    .digest()
    .subarray(0, MAC_BYTES);
