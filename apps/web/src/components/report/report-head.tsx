import type { ReportView } from "@rigmark/results";
import { frameOf } from "@rigmark/results/embed";
import { useTranslations } from "next-intl";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { CopyButton } from "../ui/copy-button";
import { PageHead } from "../ui/page-head";
import { PrivateAddress } from "./private-address";

/** Title, when it was frozen, and what can be taken along. */
export function ReportHead({ report }: { report: ReportView }) {
  const w = useWords();
  const t = useTranslations("report");
  const { snapshot, url } = report;
  const lang = w.language === "zh" ? "?lang=zh" : "";
  const badge = `[![${t("badge.alt")}](${url}/badge.svg${lang})](${url}${lang})`;
  const frame = frameOf({
    url,
    title: plainLine(snapshot.title),
    entries: snapshot.runs[0]?.entries.length ?? 1,
    language: w.language,
  });
  return (
    <>
      <PageHead
        title={<bdi>{plainLine(snapshot.title)}</bdi>}
        actions={
          <>
            <CopyButton text={report.markdown} kind="primary">
              {t("copyMarkdown")}
            </CopyButton>
            <CopyButton text={`${url}${lang}`}>{t("copyLink")}</CopyButton>
            {!report.members_only && (
              <>
                <CopyButton text={badge}>{t("copyBadge")}</CopyButton>
                <CopyButton text={frame}>{t("copyEmbed")}</CopyButton>
              </>
            )}
          </>
        }
      >
        <p className="print-only">
          <bdi>{url}</bdi>
        </p>
        <p>
          {t.rich("frozen", {
            moment: w.moment(snapshot.created_at),
            json: (name) => (
              <a key="json" className="link" href={`/r/${snapshot.slug}.json`}>
                {name}
              </a>
            ),
            md: (name) => (
              <a key="md" className="link" href={`/r/${snapshot.slug}.md${lang}`}>
                {name}
              </a>
            ),
          })}
        </p>
      </PageHead>
      {report.members_only && <p className="note mb-5">{t("membersOnly")}</p>}
      {report.public_url_is_private && (
        <div className="mb-5">
          <PrivateAddress />
        </div>
      )}
    </>
  );
}
