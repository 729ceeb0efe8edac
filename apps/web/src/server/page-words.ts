import { languageOfLocale, type Words, wordsOf } from "@rigmark/messages";
import { getLocale, getTranslations } from "next-intl/server";

/** The words of the page's language, where a page awaits something; components have `useWords`. */
export async function pageWords(): Promise<Words> {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  return wordsOf((key, values) => t(key as never, values as never), languageOfLocale(locale));
}
