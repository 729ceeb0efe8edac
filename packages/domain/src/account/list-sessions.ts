import type { SessionList } from "@rigmark/results";
import type { Ctx } from "../context";
import { requirePerson } from "../internal/access";
import { iso } from "../internal/moment";
import { atMost, printable } from "../internal/text";

const MOST = 100;
const AGENT_CHARS = 300;

/** Where the person is signed in, the newest first. */
export async function listSessions({ ctx }: { ctx: Ctx }): Promise<SessionList> {
  const me = requirePerson(ctx);
  const rows = await ctx.db.prisma.session.findMany({
    where: { userId: me.userId, expiresAt: { gt: ctx.now() } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST,
  });
  return {
    sessions: rows.map((row) => ({
      session_id: row.id,
      current: row.id === me.sessionId,
      agent: atMost(printable(row.userAgent ?? ""), AGENT_CHARS) || null,
      address: row.ipAddress || null,
      created_at: iso(row.createdAt),
      expires_at: iso(row.expiresAt),
    })),
  };
}
