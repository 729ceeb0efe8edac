import type { AccountExport } from "@rigmark/results";
import type { Ctx } from "../context";
import { DomainError } from "../error";
import { requirePerson } from "../internal/access";
import { iso } from "../internal/moment";
import { listTokens } from "../token/list";
import { listWorkspaces } from "../workspace/list";
import { listSessions } from "./list-sessions";

/** What the installation knows of the person, but for what they made in workspaces: those are exported by themselves. */
export async function exportAccount({ ctx }: { ctx: Ctx }): Promise<AccountExport> {
  const me = requirePerson(ctx);
  const person = await ctx.db.prisma.user.findUnique({
    where: { id: me.userId },
    include: { accounts: { select: { providerId: true, createdAt: true } } },
  });
  if (!person) throw new DomainError("unauthenticated", "Your account is gone; sign in again.");
  const [{ sessions }, { tokens }, workspaces] = await Promise.all([
    listSessions({ ctx }),
    listTokens({ ctx, input: { workspace: null } }),
    listWorkspaces({ ctx, input: {} }),
  ]);
  return {
    format: "rigmark-account",
    version: 1,
    exported_at: iso(ctx.now()),
    person: {
      user_id: person.id,
      name: person.name,
      email: person.email,
      email_verified: person.emailVerified,
      image: person.image,
      created_at: iso(person.createdAt),
    },
    sign_in: person.accounts.map((account) => ({
      provider: account.providerId === "credential" ? "password" : account.providerId,
      created_at: iso(account.createdAt),
    })),
    workspaces: workspaces.map(({ slug, name, role }) => ({ slug, name, role })),
    sessions,
    tokens,
  };
}
