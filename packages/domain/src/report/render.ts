import type { Language } from "@rigmark/results/language";
import type { Call } from "../context";
import { drawable, storableJson } from "../internal/text";
import { findSnapshot } from "./internal/find-snapshot";
import { renderBadge } from "./internal/render/badge";
import { renderMarkdown } from "./internal/render/markdown";

/** The same frozen numbers as JSON, as Markdown or as a badge. */
export async function renderReport({
  ctx,
  input,
}: Call<{ slug: string; as: "json" | "md" | "badge"; language?: Language }>): Promise<string> {
  const snapshot = await findSnapshot(ctx, input.slug);
  switch (input.as) {
    case "json":
      return `${storableJson(snapshot)}\n`;
    case "md":
      return drawable(
        renderMarkdown(snapshot, `${ctx.config.publicUrl}/r/${snapshot.slug}`, input.language ?? "en"),
      );
    case "badge":
      return drawable(renderBadge(snapshot, input.language));
  }
}
