import { one, run, sql } from "@rigmark/db";
import { type ChallengeRequest, type ChallengeResponse, PROTOCOL_VERSION } from "@rigmark/protocol";
import type { z } from "zod";
import type { Call } from "../context";
import { DomainError } from "../error";
import { later } from "../moment";
import { hashSecret, newSecret } from "../secret";

const NONCE_S = 60;
/** Nonces of one host that wait to be signed; an agent needs one. */
const OPEN_NONCES = 30;

/** First half of signing in: agrees on a protocol and gives the agent something to sign, once. */
export async function challenge({
  ctx,
  input,
}: Call<z.infer<typeof ChallengeRequest>>): Promise<z.infer<typeof ChallengeResponse>> {
  const protocol = Math.min(input.protocol_max, PROTOCOL_VERSION.max);
  if (protocol < input.protocol_min || protocol < PROTOCOL_VERSION.min) {
    throw new DomainError(
      "protocol",
      `The agent speaks protocol ${input.protocol_min} to ${input.protocol_max}, this server ${PROTOCOL_VERSION.min} to ${PROTOCOL_VERSION.max}; update the older of the two.`,
    );
  }
  const host = await one<{ workspace_id: string; revoked_at: Date | null }>(
    ctx.db,
    sql`SELECT l.workspace_id, h.revoked_at FROM host_lookup l JOIN host h USING (workspace_id, host_id)
        WHERE l.host_id = ${input.host_id}`,
  );
  if (!host) throw new DomainError("not_found", "This host is not known here; enrol it again.");
  if (host.revoked_at)
    throw new DomainError("revoked", "This host was removed from its workspace; enrol it again to use it.");
  const nonce = newSecret("");
  const now = ctx.now();
  await run(ctx.db, sql`DELETE FROM host_nonce WHERE expires_at < ${now}`);
  await run(
    ctx.db,
    sql`INSERT INTO host_nonce (nonce_hash, workspace_id, host_id, protocol, expires_at)
        VALUES (${hashSecret(nonce)}, ${host.workspace_id}, ${input.host_id}, ${protocol}, ${later(now, NONCE_S)})`,
  );
  // Anybody who knows a host's id may ask, so what they leave behind is bounded; the newest are kept.
  await run(
    ctx.db,
    sql`DELETE FROM host_nonce WHERE nonce_hash IN (
          SELECT nonce_hash FROM host_nonce WHERE workspace_id = ${host.workspace_id} AND host_id = ${input.host_id}
          ORDER BY expires_at DESC OFFSET ${OPEN_NONCES})`,
  );
  return { nonce, protocol };
}
