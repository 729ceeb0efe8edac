import { run, sql } from "@rigmark/db";
import { type ChallengeRequest, type ChallengeResponse, PROTOCOL_VERSION } from "@rigmark/protocol";
import type { z } from "zod";
import type { Call } from "../context";
import { DomainError } from "../error";
import { later } from "../internal/moment";
import { hashSecret, newSecret } from "../internal/secret";

const NONCE_S = 60;
/** Nonces of one host that wait to be signed; an agent needs one. */
const OPEN_NONCES = 30;

/** First half of signing in: agrees on a protocol and gives the agent something to sign, once. */
export async function challengeHost({
  ctx,
  input,
}: Call<z.infer<typeof ChallengeRequest>>): Promise<z.infer<typeof ChallengeResponse>> {
  const protocol = Math.min(input.protocol_max, PROTOCOL_VERSION.max);
  if (protocol < input.protocol_min || protocol < PROTOCOL_VERSION.min) {
    throw new DomainError(
      "protocol",
      `The agent speaks protocol versions ${input.protocol_min} to ${input.protocol_max}, this app ${PROTOCOL_VERSION.min} to ${PROTOCOL_VERSION.max}; update the older of the two.`,
    );
  }
  const host = await ctx.db.prisma.host.findFirst({
    where: { lookup: { host_id: input.host_id } },
    select: { workspace_id: true, revoked_at: true },
  });
  if (!host) throw new DomainError("not_found", "This host is not known here; enroll it again.");
  if (host.revoked_at)
    throw new DomainError("revoked", "This host was removed from its workspace; enroll it again to use it.");
  const nonce = newSecret("");
  const now = ctx.now();
  await ctx.db.prisma.hostNonce.deleteMany({ where: { expires_at: { lt: now } } });
  await ctx.db.prisma.hostNonce.create({
    data: {
      nonce_hash: hashSecret(nonce),
      workspace_id: host.workspace_id,
      host_id: input.host_id,
      protocol,
      expires_at: later(now, NONCE_S),
    },
  });
  // Anybody who knows a host's id may ask, so what they leave behind is bounded; the newest are kept.
  await run(
    ctx.db,
    sql`DELETE FROM host_nonce WHERE nonce_hash IN (
          SELECT nonce_hash FROM host_nonce WHERE workspace_id = ${host.workspace_id} AND host_id = ${input.host_id}
          ORDER BY expires_at DESC OFFSET ${OPEN_NONCES})`,
  );
  return { nonce, protocol };
}
