"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { CopyButton } from "../ui/copy-button";
import { Problem } from "../ui/problem";
import { PrivateAddress } from "./private-address";

/** The link of a report and what is pasted elsewhere. */
export function ReportLinks({ url, isPrivate }: { url: string; isPrivate: boolean }) {
  const t = useTranslations("report");
  return (
    <div className="space-y-3">
      <p className="mono-block">
        <a className="link" href={new URL(url).pathname}>
          {url}
        </a>
      </p>
      {isPrivate && <PrivateAddress />}
      <div className="flex flex-wrap gap-2">
        <CopyButton text={url} kind="primary">
          {t("copyLink")}
        </CopyButton>
        <CopyMarkdown url={url} />
      </div>
    </div>
  );
}

/** Fetched as soon as it is shown: browsers open the clipboard only in the click itself. */
function CopyMarkdown({ url }: { url: string }) {
  const t = useTranslations("report");
  const [markdown, setMarkdown] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const path = `${new URL(url).pathname}.md`;
  useEffect(() => {
    fetch(path)
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText))))
      .then(setMarkdown, () => setFailed(true));
  }, [path]);
  if (failed)
    return <Problem message="The Markdown could not be fetched; try again, or copy it from the report." />;
  return markdown === null ? (
    <button type="button" className="btn" disabled>
      {t("copyMarkdown")}
    </button>
  ) : (
    <CopyButton text={markdown}>{t("copyMarkdown")}</CopyButton>
  );
}
