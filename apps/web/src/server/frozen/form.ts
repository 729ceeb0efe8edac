import type { Language } from "@rigmark/results/language";
import { languageOf } from "@/lib/language";

const FORMS = ["page", "json", "md", "og.png", "badge.svg"] as const;
type Form = (typeof FORMS)[number];

/** A form of a report, as an address asks for it. */
export interface ReportForm {
  slug: string;
  form: Form;
  language: Language;
  /** True where the reader's browser chose the language. */
  negotiated: boolean;
}

const PATH = /^\/r\/([^/?#]+?)(?:\.(json|md)|\/(json|md|og\.png|badge\.svg))?(?:\?([^#]*))?$/;

/** What a request is for; null where it is for no form of a report. Words of the query other than `lang` change nothing. */
export function formOf(url: string, acceptLanguage: string | undefined): ReportForm | null {
  const match = PATH.exec(url);
  if (!match?.[1]) return null;
  const form = FORMS.find((f) => f === (match[2] ?? match[3])) ?? "page";
  const lang = new URLSearchParams(match[4]).get("lang");
  const said = lang === "en" || lang === "zh";
  // JSON has both languages; only a page is read in a browser that has a language.
  const language =
    form === "json" ? "en" : languageOf(lang, form === "page" ? (acceptLanguage ?? null) : null);
  return { slug: match[1], form, language, negotiated: form === "page" && !said };
}

/** Where this app itself draws it. */
export const pathOf = (slug: string, { form, language }: Pick<ReportForm, "form" | "language">): string =>
  `/r/${slug}${form === "page" ? "" : `/${form}`}${form === "json" ? "" : `?lang=${language}`}`;
