import { languageOfLocale, type Words, wordsOf } from "@rigmark/messages";
import { useLocale, useTranslations } from "next-intl";
import { useMemo } from "react";

/** The words of the page's language, in components of server and browser alike. */
export function useWords(): Words {
  const t = useTranslations();
  const language = languageOfLocale(useLocale());
  return useMemo(() => wordsOf((key, values) => t(key as never, values as never), language), [t, language]);
}
