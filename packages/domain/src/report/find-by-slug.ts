import { isPrivate } from "../address";
import type { Call } from "../context";
import type { Language } from "../run/language";
import { drawable } from "../text";
import { findSnapshot } from "./find-snapshot";
import { renderMarkdown } from "./render/markdown";
import type { ReportView } from "./view";

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
