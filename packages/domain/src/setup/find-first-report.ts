import { one, sql } from "@rigmark/db";
import type { FirstReport } from "@rigmark/results";
import type { Language } from "@rigmark/results/language";
import type { Call, Ctx } from "../context";

/**
 * The report that the launcher made of its first comparison, for the front page: the newest that was not revoked. Others,
 * also those of workspaces' tokens, are never named there; who has no link does not find them.
 */
export async function findFirstReport({
  ctx,
  input,
}: Call<{ language: Language }>): Promise<FirstReport | null> {
  const report = await ctx.db.prisma.report.findFirst({
    where: {
      ...{ workspace: { home: true }, by_launcher: true, revoked_at: null, visibility: { not: "private" } },
      OR: [{ expires_at: null }, { expires_at: { gt: ctx.now() } }],
    },
    orderBy: { created_at: "desc" },
    select: { slug: true, headline: true, workspace_id: true, report_id: true },
  });
  if (!report?.slug) return null;
  const url = `${ctx.config.publicUrl}/r/${report.slug.slug}`;
  const chinese = input.language === "zh" ? await chineseOf(ctx, report) : null;
  return { url, headline: chinese ?? report.headline, language: chinese === null ? "en" : "zh" };
}

/** Lists keep the English verdict; the Chinese one is in the report alone. Null in reports from before there was one. */
async function chineseOf(
  { db }: Ctx,
  at: { workspace_id: string; report_id: string },
): Promise<string | null> {
  const row = await one<{ sentence: string | null }>(
    db,
    sql`SELECT nullif(snapshot, '')::json #>> '{runs,0,summary,sentence_zh}' AS sentence FROM report
        WHERE workspace_id = ${at.workspace_id} AND report_id = ${at.report_id}`,
  );
  return row?.sentence || null;
}
