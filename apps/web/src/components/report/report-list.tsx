"use client";

import type { ReportListItem, ReportList as Reports } from "@rigmark/results";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { listPath } from "@/lib/list-address";
import { plainLine } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { useTRPC } from "@/trpc/client";
import { useMay } from "../shell/may";
import { Confirm } from "../ui/confirm";
import { CopyButton } from "../ui/copy-button";
import { PageLinks } from "../ui/page-links";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";
import { ChangeAccess } from "./change-access";
import { PrivateAddress } from "./private-address";

interface ReportListProps {
  workspace: string;
  cursor: string | null;
  initial: Reports;
}

export function ReportList({ workspace, cursor, initial }: ReportListProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const query = trpc.report.list.queryOptions({ workspace, cursor }, { initialData: initial });
  const { data, error, refetch } = useQuery(query);
  const mayRevoke = useMay("queue");
  const refresh = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const revoke = useMutation(trpc.report.revoke.mutationOptions({ onSuccess: refresh }));
  return (
    <div className="space-y-4">
      {error && <Problem message={error.message} retry={() => refetch()} />}
      {data.public_url_is_private && <PrivateAddress />}
      <ul className="panel divide-y divide-line">
        {data.reports.map((report) => (
          <li
            key={report.report_id}
            className="grid gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_auto]"
          >
            <div className="min-w-0 [overflow-wrap:anywhere]">
              {report.revoked_at || report.expired ? (
                <bdi className="font-medium text-ink-2">{plainLine(report.title)}</bdi>
              ) : (
                <a className="link font-medium" href={new URL(report.url).pathname}>
                  <bdi>{plainLine(report.title)}</bdi>
                </a>
              )}
              {report.headline && <p className="text-[0.929rem] text-ink-2">{plainLine(report.headline)}</p>}
              <p className="text-[0.929rem] text-ink-2">
                {report.revoked_at ? (
                  <span className="text-bad">
                    revoked <TimeAgo at={report.revoked_at} />
                  </span>
                ) : (
                  <>
                    made <TimeAgo at={report.created_at} />
                    <Readers report={report} />
                  </>
                )}
                , <bdi>{plainLine(report.host_name)}</bdi>,{" "}
                <Link prefetch={false} className="link" href={`/w/${workspace}/runs/${report.run_id}`}>
                  its run
                </Link>
              </p>
            </div>
            {!report.revoked_at && (
              <div className="flex items-start gap-2">
                {!report.expired && (
                  <CopyButton text={report.url} size="small">
                    Copy link
                  </CopyButton>
                )}
                {mayRevoke && <ChangeAccess workspace={workspace} report={report} onChanged={refresh} />}
                {mayRevoke && (
                  <Confirm
                    trigger="Revoke"
                    of={plainLine(report.title)}
                    size="small"
                    title="Revoke this report?"
                    action="Revoke"
                    keep="Keep it"
                    run={() => revoke.mutateAsync({ workspace, reportId: report.report_id })}
                  >
                    Its link stops working for everyone at once. This cannot be undone. The run stays.
                  </Confirm>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      <PageLinks
        label="Pages of reports"
        what="reports"
        cursor={cursor}
        next={data.next_cursor}
        path={(page) => listPath(`/w/${workspace}/reports`, { cursor: page })}
      />
    </div>
  );
}

/** Who reads it, where that is not whoever has the link, and until when. */
function Readers({ report }: { report: ReportListItem }) {
  const { visibility, expires_at, expired } = report;
  return (
    <>
      {visibility === "private" && ", for members only"}
      {visibility === "public" && ", listed in Explore"}
      {expires_at && (
        <>
          ,{" "}
          <span className={expired ? "text-bad" : undefined}>
            {expired ? "expired" : "expires"} {formatMoment(expires_at)}
          </span>
        </>
      )}
    </>
  );
}
