import { renderBadge } from "@rigmark/domain";
import { bare } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import { languageOf } from "@/lib/language";
import { domain } from "@/server/domain";
import { errorOf } from "@/server/response";

export const dynamic = "force-dynamic";

/** The newest value of a history, `SLUG.svg`. It changes with the next run, so whoever keeps it has to ask again. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ file: string }> },
): Promise<Response> {
  const headers = {
    "cache-control": "no-cache",
    "x-robots-tag": "noindex",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  const language = languageOf(new URL(request.url).searchParams.get("lang"), null);
  const slug = /^(.+)\.svg$/.exec((await params).file)?.[1] ?? "";
  try {
    const svg = await renderBadge({ ctx: domain().as({ kind: "anonymous" }), input: { slug, language } });
    return new Response(svg, { headers: { ...headers, "content-type": "image/svg+xml; charset=utf-8" } });
  } catch (error) {
    const { status, message } = errorOf(error);
    return new Response(`${bare(wordsIn(language).phrase(message))}\n`, {
      status,
      headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
    });
  }
}
