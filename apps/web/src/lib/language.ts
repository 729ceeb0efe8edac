import type { Language } from "@rigmark/results/language";

/** In which language this app's proxy found that a page is asked for. */
export const LANGUAGE_HEADER = "x-language";
/** What was chosen last, for pages other than reports: those are kept for all readers alike. */
export const LANGUAGE_COOKIE = "lang";

/** Of a request that has no address of a page, such as a form's: what was chosen last, else what the browser prefers. */
export function languageOfHeaders(headers: Headers | undefined): Language {
  const chosen = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(zh|en)(?:;|$)`).exec(
    headers?.get("cookie") ?? "",
  )?.[1];
  return languageOf(chosen, headers?.get("accept-language") ?? null);
}

/** What the address asks for wins; else Chinese where the reader's browser prefers it to English. */
export function languageOf(asked: string | null | undefined, accepted: string | null): Language {
  if (asked === "zh" || asked === "en") return asked;
  const quality = (wanted: string): number =>
    (accepted ?? "").split(",").reduce((most, part) => {
      const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
      if (tag !== wanted && !tag.startsWith(`${wanted}-`)) return most;
      const q = Number(parameters.map((p) => /^\s*q=([\d.]+)\s*$/.exec(p)?.[1]).find(Boolean) ?? 1);
      return Number.isFinite(q) ? Math.max(most, q) : most;
    }, 0);
  const zh = quality("zh");
  return zh > 0 && zh > quality("en") ? "zh" : "en";
}
