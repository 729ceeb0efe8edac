import { type ChallengeRequest, type ChallengeResponse, PROTOCOL_VERSION } from "@rigmark/protocol";
import type { z } from "zod";
import type { Call } from "../context";
import { DomainError } from "../error";
import { revoked } from "../internal/host/revoked";
import { newNonce } from "./internal/nonce";

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
    select: { revoked_at: true },
  });
  if (!host) throw new DomainError("not_found", "This host is not known here; enroll it again.");
  if (host.revoked_at) throw revoked();
  const purpose = { hostId: input.host_id, protocol };
  const nonce = newNonce(ctx.config.nonceSecret, purpose, ctx.now());
  return { nonce, protocol };
}
