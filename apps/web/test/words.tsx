import type { Language } from "@rigmark/messages";
import { LOCALES } from "@rigmark/messages";
import { fallback, ignoreUnknownCodes, messagesOf, wordsIn } from "@rigmark/messages/catalogue";
import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

export const en = wordsIn("en");

/** As a page in a language stands around it. */
const inLanguageOf = (language: Language, children: ReactNode): ReactNode => (
  <NextIntlClientProvider
    locale={LOCALES[language]}
    messages={messagesOf(language)}
    timeZone="UTC"
    onError={ignoreUnknownCodes}
    getMessageFallback={fallback}
  >
    {children}
  </NextIntlClientProvider>
);

export const render = (node: ReactNode, language: Language = "en"): string =>
  renderToStaticMarkup(inLanguageOf(language, node));
