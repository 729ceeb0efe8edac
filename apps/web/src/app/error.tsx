"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { Main } from "@/components/shell/main";
import { apply, readChoice } from "@/lib/theme";

/** Drawn by the browser alone, without what the server would have put around it: the theme has to be set again. */
export default function ErrorPage({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  /** Asks the server again; `reset` would only draw what failed once more. */
  retry: () => void;
}) {
  const t = useTranslations();
  useEffect(() => apply(readChoice()), []);
  return (
    <Main>
      <h1>{t("public.error.title")}</h1>
      <p className="mt-1 mb-5 text-ink-2">
        {t("public.error.text")}
        {error.digest && ` ${t("public.error.digest", { digest: error.digest })}`}
      </p>
      <button type="button" className="btn" onClick={retry}>
        {t("ui.tryAgain")}
      </button>
    </Main>
  );
}
