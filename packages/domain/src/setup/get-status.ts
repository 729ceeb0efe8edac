import type { SetupStatus } from "@rigmark/results";
import type { Call } from "../context";
import { CLAIM_WORDS, claimLink } from "../internal/claim-link";

/** Whether this installation has an owner yet. For anybody: the welcome page asks before anyone can sign in. */
export async function getSetupStatus({
  ctx,
  input,
}: Call<{ token?: string | undefined }>): Promise<SetupStatus> {
  const home = await ctx.db.prisma.workspace.findFirst({
    where: { home: true },
    select: { slug: true, _count: { select: { members: true } } },
  });
  const claimed = home && home._count.members > 0;
  const found = input.token ? await claimLink(ctx.db, input.token, ctx.now()) : null;
  // Their account may be the one that was made with it; taking over is what is left.
  const state = found === "used" && claimed === false && ctx.actor.kind === "user" ? "usable" : found;
  return {
    claimed,
    home: home?.slug?.slug ?? null,
    link: state && { state, message: state === "usable" ? null : CLAIM_WORDS[state] },
  };
}
