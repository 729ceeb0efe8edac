import type { Language } from "@rigmark/results/language";
import type { Call } from "../context";
import { drawable, storableJson } from "../internal/text";
import { findSnapshot } from "./internal/find-snapshot";
import { renderReportBadge } from "./internal/render/badge";
import { renderMarkdown } from "./internal/render/markdown";
import { renderOembed } from "./internal/render/oembed";

/** The same frozen numbers as JSON, as Markdown, as a badge or as oEmbed. */
export async function renderReport({
  ctx,
  input,
}: Call<{ slug: string; as: "json" | "md" | "badge" | "oembed"; language?: Language }>): Promise<string> {
  const { snapshot } = await findSnapshot(ctx, input.slug);
  const url = `${ctx.config.publicUrl}/r/${snapshot.slug}`;
  switch (input.as) {
    case "json":
      return `${storableJson(snapshot)}\n`;
    case "md":
      return drawable(renderMarkdown(snapshot, url, input.language ?? "en"));
    case "badge":
      return drawable(renderReportBadge(snapshot, input.language));
    case "oembed":
      return drawable(renderOembed(snapshot, url, input.language));
  }
}
