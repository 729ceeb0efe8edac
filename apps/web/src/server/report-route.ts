import { renderReport } from "@rigmark/domain";
import { bare } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import { type FrameLimits, fitOembed } from "@rigmark/results/embed";
import { languageOf } from "@/lib/language";
import { apiContext } from "./context";
import { errorOf } from "./response";

const TYPES = {
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  badge: "image/svg+xml; charset=utf-8",
  oembed: "application/json; charset=utf-8",
} as const;

interface FormQuery {
  lang: string | null;
  /** Of oEmbed. */
  limits?: FrameLimits;
}

/**
 * A report in another form, never indexed. Drawn here; kept, compressed and asked about again in server/frozen. Who is signed
 * in may read private ones too, and what they get is kept nowhere.
 */
export async function reportRoute(
  request: Request,
  slug: string,
  as: keyof typeof TYPES,
  { lang, limits }: FormQuery = { lang: new URL(request.url).searchParams.get("lang") },
): Promise<Response> {
  const headers: Record<string, string> = {
    "cache-control": "no-cache",
    "x-robots-tag": "noindex",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  const { ctx } = await apiContext(request.headers);
  if (ctx.actor.kind === "user") headers["cache-control"] = "private, no-store";
  const language = languageOf(lang, null);
  try {
    const drawn = await renderReport({ ctx, input: { slug, as, language } });
    const body = limits ? fitOembed(drawn, limits) : drawn;
    return new Response(body, { headers: { ...headers, "content-type": TYPES[as] } });
  } catch (error) {
    const { status, code, message } = errorOf(error);
    const said = bare(wordsIn(language).phrase(message));
    if (as === "json" || as === "oembed")
      return Response.json({ error: { code, message } }, { status, headers });
    return new Response(`${said}\n`, {
      status,
      headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
    });
  }
}
