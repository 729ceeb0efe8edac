import type { Call } from "../context";
import type { Language } from "../run/language";
import { drawable } from "../text";
import { findBySlug } from "./find-by-slug";
import { renderBadge } from "./render/badge";
import { renderMarkdown } from "./render/markdown";

export interface Rendered {
  body: string;
  /** Changes with the content. */
  etag: string;
}

/** The same frozen numbers as JSON (the stored text itself), as Markdown or as a badge. */
export async function renderAs({
  ctx,
  input,
}: Call<{ slug: string; as: "json" | "md" | "badge"; language?: Language }>): Promise<Rendered> {
  const { snapshot, text, sha256 } = await findBySlug(ctx, input.slug);
  const language = input.language ?? "en";
  const etag = `"${sha256.slice(0, 32)}-${input.as}${language === "en" ? "" : `-${language}`}"`;
  switch (input.as) {
    case "json":
      return { body: `${text}\n`, etag };
    case "md":
      return {
        body: drawable(renderMarkdown(snapshot, `${ctx.config.publicUrl}/r/${snapshot.slug}`, language)),
        etag,
      };
    case "badge":
      return { body: drawable(renderBadge(snapshot)), etag };
  }
}
