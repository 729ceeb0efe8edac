import type { ReportView } from "@rigmark/domain/views";
import { plainLine } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { CopyButton } from "../ui/copy-button";
import { PageHead } from "../ui/page-head";
import { PrivateAddress } from "./private-address";

/** Title, when it was frozen, and what can be taken along. */
export function ReportHead({ report }: { report: ReportView }) {
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
          <a className="link" href={`/r/${snapshot.slug}.md`}>
            Markdown
          </a>
          .
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
