import type { FrameLimits } from "@rigmark/results/embed";
import type { Language } from "@rigmark/results/language";
import { languageOf } from "@/lib/language";

const FORMS = ["page", "embed", "json", "md", "og.png", "badge.svg", "oembed"] as const;
type Form = (typeof FORMS)[number];

/** A form of a report, as an address asks for it. */
export interface ReportForm {
  slug: string;
  form: Form;
  language: Language;
  /** True where the reader's browser chose the language. */
  negotiated: boolean;
  /** Of an oEmbed: it is made of the one that is kept, since sizes without end would push reports out of what is kept. */
  limits?: FrameLimits | undefined;
}

const PATH = /^\/r\/([^/?#]+?)(?:\.(json|md)|\/(json|md|og\.png|badge\.svg|oembed))?(?:\?([^#]*))?$/;
const EMBED = /^\/embed\/r\/([^/?#]+)(?:\?([^#]*))?$/;
const OEMBED = /^\/oembed\?([^#]*)$/;

/** What a request is for; null where it is for no form of a report. Words of the query other than `lang` change nothing. */
export function formOf(url: string, acceptLanguage: string | undefined): ReportForm | null {
  const parts = partsOf(url);
  if (!parts) return null;
  const { slug, form, lang, limits } = parts;
  const isPage = form === "page" || form === "embed";
  const chosen = lang === "en" || lang === "zh";
  // JSON has both languages; only a page is read in a browser that has a language.
  const language = form === "json" ? "en" : languageOf(lang, isPage ? (acceptLanguage ?? null) : null);
  return { slug, form, language, negotiated: isPage && !chosen, limits };
}

interface Parts {
  slug: string;
  form: Form;
  lang: string | null;
  limits?: FrameLimits;
}

function partsOf(url: string): Parts | null {
  const embed = EMBED.exec(url);
  if (embed?.[1]) return { slug: embed[1], form: "embed", lang: langIn(embed[2]) };
  const oembed = OEMBED.exec(url);
  if (oembed) {
    const asked = new URLSearchParams(oembed[1]);
    const report = reportAddress(asked.get("url"));
    // The rest the app refuses by itself.
    return report && (asked.get("format") ?? "json") === "json"
      ? { ...report, form: "oembed", limits: limitsIn(asked) }
      : null;
  }
  const match = PATH.exec(url);
  if (!match?.[1]) return null;
  const form = FORMS.find((f) => f === (match[2] ?? match[3])) ?? "page";
  return { slug: match[1], form, lang: langIn(match[4]) };
}

const langIn = (query: string | undefined): string | null => new URLSearchParams(query).get("lang");

/** Which report an address is of, as somebody pasted it; whatever it is called under, its slug is not to be guessed. */
export function reportAddress(text: string | null): { slug: string; lang: string | null } | null {
  if (text === null || !URL.canParse(text)) return null;
  const { pathname, searchParams } = new URL(text);
  const slug = /^\/r\/([\w-]+)$/.exec(pathname)?.[1];
  return slug ? { slug, lang: searchParams.get("lang") } : null;
}

/** How large the frame of an oEmbed may be; what is no number of pixels limits nothing. */
export function limitsIn(asked: URLSearchParams): FrameLimits {
  const pixels = (name: string): number | undefined => {
    const text = asked.get(name) ?? "";
    return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
  };
  return { width: pixels("maxwidth"), height: pixels("maxheight") };
}

/** Where this app itself draws it. */
export const pathOf = (slug: string, { form, language }: Pick<ReportForm, "form" | "language">): string =>
  form === "embed"
    ? `/embed/r/${slug}?lang=${language}`
    : `/r/${slug}${form === "page" ? "" : `/${form}`}${form === "json" ? "" : `?lang=${language}`}`;
