import { languageOfLocale, type Phrases, type Words, wordsOf } from "@rigmark/messages";
import { useLocale, useMessages, useTranslations } from "next-intl";
import { useMemo } from "react";

/**
 * The words of the page's language, in components of server and browser alike. In the browser no phrase is recognized
 * (`phrase`): components there get such words ready.
 */
export function useWords(): Words {
  const t = useTranslations();
  const language = languageOfLocale(useLocale());
  const phrases = useMessages().phrases as Phrases | undefined;
  return useMemo(
    () => wordsOf((key, values) => t(key as never, values as never), language, phrases),
    [t, language, phrases],
  );
}
