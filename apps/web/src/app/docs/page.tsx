import { languageOfLocale } from "@rigmark/messages";
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { DocFrame } from "@/components/docs/doc-frame";
import { Command } from "@/components/ui/command";
import { GROUPS } from "@/docs/pages";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations("docs"))("title"),
});

export default async function DocsPage() {
  const [t, locale] = await Promise.all([getTranslations("docs"), getLocale()]);
  return (
    <DocFrame>
      <h1>{t("title")}</h1>
      <p className="mt-2 mb-4 max-w-[65ch] text-ink-2">{t("intro")}</p>
      <div className="max-w-[30rem]">
        <Command label={t("install")} text="./rig up" />
      </div>
      {languageOfLocale(locale) !== "en" && <p className="mt-4 text-ink-2">{t("inEnglish")}</p>}
      {GROUPS.map((group) => (
        <section key={group.id} className="mt-7">
          <h2 className="mb-1">{t(`groups.${group.id}`)}</h2>
          <ul className="divide-y divide-line">
            {group.pages.map((page) => (
              <li key={page.name} className="grid gap-x-4 py-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
                <a className="link" href={`/docs/${page.name}`}>
                  {t(`pages.${page.name}.title`)}
                </a>
                <span className="text-ink-2">{t(`pages.${page.name}.summary`)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </DocFrame>
  );
}
