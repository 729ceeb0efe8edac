import type { FirstReport } from "@rigmark/results";
import type { Call } from "../context";

/**
 * The report that the launcher made of its first comparison, for the front page: the newest that was not revoked. People's
 * own reports are never named there; who has no link does not find them.
 */
export async function findFirstReport({ ctx }: { ctx: Call<never>["ctx"] }): Promise<FirstReport | null> {
  const report = await ctx.db.prisma.report.findFirst({
    where: { workspace: { home: true }, created_by: null, revoked_at: null },
    orderBy: { created_at: "desc" },
    select: { slug: true, headline: true },
  });
  return report?.slug
    ? { url: `${ctx.config.publicUrl}/r/${report.slug.slug}`, headline: report.headline }
    : null;
}
