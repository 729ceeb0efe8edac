import type { Ctx } from "../../context";
import type { Series } from "./read-rows";

/** What a badge shows: the newest value of a series, as a ratio to another entry or, with null, as it is. */
export interface BadgeOf extends Series {
  relativeTo: string | null;
}

/** As columns; a label is never empty. */
export const columnsOf = ({ hostId, scenario, label, relativeTo }: BadgeOf) => ({
  ...{ host_id: hostId, scenario_id: scenario, label, relative_to: relativeTo ?? "" },
});

export const badgeUrl = (ctx: Ctx, slug: string): string => `${ctx.config.publicUrl}/badge/${slug}.svg`;

/** Null: nobody made one. */
export async function findBadge(
  ctx: Ctx,
  workspaceId: string,
  of: BadgeOf,
): Promise<{ badgeId: string; slug: string } | null> {
  const found = await ctx.db.prisma.badge.findFirst({
    where: { workspace_id: workspaceId, ...columnsOf(of) },
    select: { badge_id: true, slug: { select: { slug: true } } },
  });
  return found?.slug ? { badgeId: found.badge_id, slug: found.slug.slug } : null;
}
