import { NextIntlClientProvider, useMessages, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { GROUPS } from "@/docs/pages";
import type { Heading } from "@/docs/parse";
import { inTheBrowser } from "@/lib/messages";
import { Header } from "../shell/header";
import { Main } from "../shell/main";
import { DocSearch } from "./doc-search";

interface DocFrameProps {
  /** The name of the page, to mark it in the list. */
  name?: string;
  headings?: readonly Heading[];
  query?: string;
  children: ReactNode;
}

/**
 * Search and the list of pages on the left, what is on the page on the right; on narrow screens both fold. The frame is in
 * the reader's language, the pages are in English.
 */
export function DocFrame({ name, headings = [], query, children }: DocFrameProps) {
  const t = useTranslations("docs");
  const messages = inTheBrowser(useMessages(), ["docs.search"]);
  const parts = headings.filter((h) => h.depth === 2 || h.depth === 3);
  return (
    <>
      <Header />
      <Main>
        <div className="grid gap-x-10 gap-y-3 lg:grid-cols-[11rem_minmax(0,1fr)] xl:grid-cols-[11rem_minmax(0,1fr)_12rem]">
          <div className="no-print space-y-3 lg:row-span-2 lg:space-y-5">
            <NextIntlClientProvider messages={messages}>
              <DocSearch query={query} />
            </NextIntlClientProvider>
            <details className="panel lg:hidden">
              <summary className="px-3 py-2">{t("allPages")}</summary>
              <div className="border-line border-t px-3 py-3">
                <PageList name={name} label={t("allPages")} />
              </div>
            </details>
            <div className="sticky top-4 hidden lg:block">
              <PageList name={name} label={t("title")} />
            </div>
          </div>
          <div className="min-w-0">
            {parts.length > 1 && (
              <details className="panel no-print mb-4 xl:hidden">
                <summary className="px-3 py-2">{t("onThisPage")}</summary>
                <div className="border-line border-t px-3 py-3">
                  <OnThisPage headings={parts} label={t("parts")} />
                </div>
              </details>
            )}
            {children}
          </div>
          {parts.length > 1 && (
            <div className="hidden xl:block">
              <div className="sticky top-4 max-h-[calc(100dvh-2rem)] overflow-y-auto border-line border-l pl-4">
                <p className="mb-2 font-medium">{t("onThisPage")}</p>
                <OnThisPage headings={parts} label={t("onThisPage")} />
              </div>
            </div>
          )}
        </div>
      </Main>
    </>
  );
}

function PageList({ name, label }: { name: string | undefined; label: string }) {
  const t = useTranslations("docs");
  return (
    <nav aria-label={label} className="space-y-4">
      {GROUPS.map((group) => (
        <div key={group.id}>
          <p className="mb-1 text-[0.857rem] text-ink-3">{t(`groups.${group.id}`)}</p>
          <ul>
            {group.pages.map((page) => (
              <li key={page.name}>
                <a
                  href={`/docs/${page.name}`}
                  aria-current={page.name === name ? "page" : undefined}
                  className="-ml-2.5 block border-transparent border-l-2 py-1 pl-2 text-ink-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
                >
                  {t(`pages.${page.name}.title`)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const OnThisPage = ({ headings, label }: { headings: readonly Heading[]; label: string }) => (
  <nav aria-label={label}>
    <ul className="text-[0.929rem] leading-snug" lang="en">
      {headings.map((heading) => (
        <li key={heading.id} className={heading.depth === 3 ? "pl-3" : ""}>
          <a href={`#${heading.id}`} className="block py-1 text-ink-2 hover:text-ink">
            {heading.text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
