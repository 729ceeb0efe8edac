import { one, sql } from "@rigmark/db";
import type { Scope } from "@rigmark/results";
import type { Actor, Call, Ctx, Grant } from "../context";
import { DomainError } from "../error";
import { iso } from "../internal/moment";
import { hashSecret } from "../internal/secret";

/** Writes `last_used_at` at most this often. */
const USED_EVERY_MS = 60_000;
const FORM = /^rgm_[A-Za-z0-9_-]{43}$/;

interface Row {
  token_id: string;
  name: string;
  scopes: Scope[];
  workspace_id: string | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  user_id: string | null;
  user_name: string | null;
  email: string | null;
}

/** Who a token of the public API belongs to. Asked on each request, so that a revoked one is out at once. */
export async function authenticateToken({ ctx, input }: Call<{ token: string | null }>): Promise<Actor> {
  if (input.token === null) throw refused(ctx, "This request has no token");
  if (!FORM.test(input.token)) throw refused(ctx, "This is not a token, or is incomplete");
  const now = ctx.now();
  const row = await one<Row>(
    ctx.db,
    sql`SELECT t.token_id, t.name, t.scopes, t.workspace_id, t.expires_at, t.revoked_at, t.last_used_at,
          t.user_id, u.name AS user_name, u.email
        FROM token_lookup l JOIN token t USING (token_id) LEFT JOIN "user" u ON u.id = t.user_id
        WHERE l.token_hash = ${hashSecret(input.token)}`,
  );
  if (!row) throw refused(ctx, "This token is not known here");
  if (row.revoked_at) throw refused(ctx, `The token “${row.name}” was revoked`);
  if (row.expires_at && row.expires_at <= now)
    throw refused(ctx, `The token “${row.name}” expired on ${iso(row.expires_at).slice(0, 10)}`);
  if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > USED_EVERY_MS)
    await ctx.db.prisma.token.updateMany({ where: { token_id: row.token_id }, data: { last_used_at: now } });
  return actorOf(row);
}

function actorOf(row: Row): Actor {
  const token: Grant = {
    tokenId: row.token_id,
    name: row.name,
    scopes: row.scopes,
    workspaceId: row.workspace_id,
    expiresAt: row.expires_at,
  };
  if (row.user_id !== null)
    return { kind: "user", userId: row.user_id, name: row.user_name ?? "", email: row.email ?? "", token };
  if (row.workspace_id !== null) return { kind: "workspace", workspaceId: row.workspace_id, token };
  throw new DomainError("internal", "This token belongs to nobody; make another one.");
}

const refused = ({ config }: Ctx, what: string): DomainError =>
  new DomainError(
    "unauthenticated",
    `${what}. Run \`rigmark login\`, or make a token at ${config.publicUrl}/account/tokens, and send it as \`Authorization: Bearer rgm_…\`.`,
  );
