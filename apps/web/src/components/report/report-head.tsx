import type { ReportView } from "@rigmark/results";
import { hasChinese, type Language } from "@rigmark/results/language";
import { plainLine } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { CopyButton } from "../ui/copy-button";
import { PageHead } from "../ui/page-head";
import { PrivateAddress } from "./private-address";

/** Title, when it was frozen, and what can be taken along. */
export function ReportHead({ report, language }: { report: ReportView; language: Language }) {
  const { snapshot, url } = report;
  const badge = `[![Rigmark report](${url}/badge.svg)](${url})`;
  return (
    <>
      <PageHead
        title={<bdi>{plainLine(snapshot.title)}</bdi>}
        actions={
          <>
            <CopyButton text={report.markdown} kind="primary">
              Copy Markdown
            </CopyButton>
            <CopyButton text={url}>Copy link</CopyButton>
            <CopyButton text={badge}>Copy badge</CopyButton>
          </>
        }
      >
        <p>
          Frozen {formatMoment(snapshot.created_at)}. Also as{" "}
          <a className="link" href={`/r/${snapshot.slug}.json`}>
            JSON
          </a>{" "}
          and{" "}
          <a className="link" href={`/r/${snapshot.slug}.md${language === "zh" ? "?lang=zh" : ""}`}>
            Markdown
          </a>
          .
          {snapshot.runs.some((run) => hasChinese(run.summary)) && (
            <>
              {" "}
              {language === "zh" ? (
                <a className="link" href={`/r/${snapshot.slug}?lang=en`} hrefLang="en">
                  Verdict in English
                </a>
              ) : (
                <a className="link" href={`/r/${snapshot.slug}?lang=zh`} hrefLang="zh" lang="zh">
                  结论的中文版
                </a>
              )}
              .
            </>
          )}
        </p>
      </PageHead>
      {report.public_url_is_private && (
        <div className="mb-5">
          <PrivateAddress />
        </div>
      )}
    </>
  );
}
