import { languageOfLocale, type Phrases, type Words, wordsOf } from "@rigmark/messages";
import { getLocale, getMessages, getTranslations } from "next-intl/server";

/** The words of the page's language, where a page awaits something; components have `useWords`. */
export async function pageWords(): Promise<Words> {
  const [t, locale, messages] = await Promise.all([getTranslations(), getLocale(), getMessages()]);
  const phrases = messages.phrases as Phrases | undefined;
  return wordsOf((key, values) => t(key as never, values as never), languageOfLocale(locale), phrases);
}
