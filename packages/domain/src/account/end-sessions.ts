import type { Nothing } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { requirePerson } from "../internal/access";

/** Signs the person out where they are signed in: in one browser, or (null) in all but the one that asks. */
export async function endSessions({ ctx, input }: Call<{ sessionId: string | null }>): Promise<Nothing> {
  const me = requirePerson(ctx);
  const { count } = await ctx.db.prisma.session.deleteMany({
    where: { userId: me.userId, id: input.sessionId ?? { not: me.sessionId ?? "" } },
  });
  if (count === 0 && input.sessionId !== null)
    throw new DomainError("not_found", "This session has ended already.");
  return { ok: true };
}
