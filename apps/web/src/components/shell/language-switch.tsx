import { LOCALES, languageOfLocale } from "@rigmark/messages";
import { headers } from "next/headers";
import { getLocale, getTranslations } from "next-intl/server";

/** The same page in the other language: an address, so that it can be sent to somebody. */
export async function LanguageSwitch() {
  const [t, locale, asked] = await Promise.all([getTranslations("ui"), getLocale(), headers()]);
  const other = languageOfLocale(locale) === "zh" ? "en" : "zh";
  const query = new URLSearchParams((asked.get("x-path") ?? "").split("?")[1]);
  query.set("lang", other);
  return (
    <a
      className="btn"
      data-kind="quiet"
      data-size="small"
      href={`?${query}`}
      hrefLang={LOCALES[other]}
      title={t("languageLabel")}
    >
      <span lang={LOCALES[other]}>{t("language")}</span>
    </a>
  );
}
