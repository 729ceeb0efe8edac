import type { ReportView } from "@rigmark/results";
import type { Language } from "@rigmark/results/language";
import type { Call } from "../context";
import { isPrivate } from "../internal/address";
import { drawable } from "../internal/text";
import { findSnapshot } from "./internal/find-snapshot";
import { renderMarkdown } from "./internal/render/markdown";

export async function findReportBySlug({
  ctx,
  input,
}: Call<{ slug: string; language?: Language | undefined }>): Promise<ReportView> {
  const { snapshot, membersOnly } = await findSnapshot(ctx, input.slug);
  const url = `${ctx.config.publicUrl}/r/${snapshot.slug}`;
  return {
    slug: snapshot.slug,
    url,
    snapshot,
    markdown: drawable(renderMarkdown(snapshot, url, input.language)),
    public_url_is_private: isPrivate(ctx.config.publicUrl),
    members_only: membersOnly,
  };
}
