import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LanguageSwitch } from "./language-switch";
import { Mark } from "./mark";
import { ThemeSwitch } from "./theme-switch";

/** One bar on every page: mark, what the page belongs to, theme, account. */
export function Header({
  home = "/",
  switcher,
  context,
  children,
  languages = true,
}: {
  home?: string;
  /** Beside the mark: which workspace the page belongs to. */
  switcher?: ReactNode;
  context?: ReactNode;
  children?: ReactNode;
  /** Not where a page is in one language only. */
  languages?: boolean;
}) {
  const t = useTranslations("ui");
  return (
    <header className="border-line border-b bg-panel">
      <div className="mx-auto flex max-w-[76rem] flex-wrap items-center gap-x-4 px-4 sm:px-6">
        {/* A plain link: pages that are read without an account carry no router for it. */}
        <div className="order-1 flex min-w-0 items-center gap-1">
          <a href={home} className="flex items-center gap-2 py-2.5 font-semibold">
            <Mark />
            <span className={switcher ? "sr-only sm:not-sr-only" : ""}>Rigmark</span>
          </a>
          {switcher}
        </div>
        {context && <div className="order-4 -mx-2.5 w-full sm:order-2 sm:mx-0 sm:w-auto">{context}</div>}
        <div className="no-print order-3 ml-auto flex items-center gap-1">
          {!switcher && (
            <a className="btn" data-kind="quiet" data-size="small" href="/explore">
              {t("explore")}
            </a>
          )}
          <a className="btn" data-kind="quiet" data-size="small" href="/docs">
            {t("docs")}
          </a>
          {languages && <LanguageSwitch />}
          <ThemeSwitch />
          {children}
        </div>
      </div>
    </header>
  );
}
