import { LOCALES } from "@rigmark/messages";
import { fallback, ignoreUnknownCodes, messagesOf } from "@rigmark/messages/catalogue";
import { headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { LANGUAGE_HEADER } from "@/lib/language";

/** No locale stands in an address: src/proxy.ts says in which language a page is asked for. */
export default getRequestConfig(async () => {
  const language = (await headers()).get(LANGUAGE_HEADER) === "zh" ? "zh" : "en";
  return {
    locale: LOCALES[language],
    messages: messagesOf(language),
    timeZone: "UTC",
    onError: ignoreUnknownCodes,
    getMessageFallback: fallback,
  };
});
