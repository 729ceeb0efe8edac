import type { ReportView } from "@rigmark/results";
import type { Language } from "@rigmark/results/language";
import { isPrivate } from "../address";
import type { Call } from "../context";
import { drawable } from "../text";
import { findSnapshot } from "./find-snapshot";
import { renderMarkdown } from "./render/markdown";

export async function findReportBySlug({
  ctx,
  input,
}: Call<{ slug: string; language?: Language | undefined }>): Promise<ReportView> {
  const snapshot = await findSnapshot(ctx, input.slug);
  const url = `${ctx.config.publicUrl}/r/${snapshot.slug}`;
  return {
    slug: snapshot.slug,
    url,
    snapshot,
    markdown: drawable(renderMarkdown(snapshot, url, input.language)),
    public_url_is_private: isPrivate(ctx.config.publicUrl),
  };
}
