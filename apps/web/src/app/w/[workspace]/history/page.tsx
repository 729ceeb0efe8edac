import type { Metadata } from "next";
import Link from "next/link";
import { HistoryList } from "@/components/history/history-list";
import { HistoryPage } from "@/components/history/history-page";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { historyState } from "@/lib/history-path";
import { caller } from "@/trpc/caller";
import { orNotFound, orReason } from "@/trpc/reach";

export const metadata: Metadata = { title: "History" };

export default async function HistoryRoute({ params, searchParams }: PageProps<"/w/[workspace]/history">) {
  const { workspace } = await params;
  const state = historyState(await searchParams);
  const api = await caller();
  if (state) {
    const reached = await orReason(api.history.get({ workspace, ...state }));
    if ("found" in reached) return <HistoryPage workspace={workspace} state={state} view={reached.found} />;
    return (
      <>
        <PageHead title="History" />
        <Empty
          title="This history is gone"
          action={
            <Link className="btn" href={`/w/${workspace}/history`}>
              Other histories
            </Link>
          }
        >
          {reached.reason}
        </Empty>
      </>
    );
  }
  const series = await orNotFound(api.history.list({ workspace }));
  return (
    <div className="space-y-6">
      <PageHead
        title="History"
        actions={
          <Link className="btn" href={`/w/${workspace}/alerts`}>
            Alerts
          </Link>
        }
      >
        How an entry performs from run to run on one host, and when it became faster or slower.
      </PageHead>
      {series.length > 0 ? (
        <HistoryList workspace={workspace} series={series} />
      ) : (
        <Empty
          title="No history yet"
          action={
            <Link className="btn" data-kind="primary" href={`/w/${workspace}/runs/new`}>
              New run
            </Link>
          }
        >
          A history begins with the second run of the same entry under the same scenario on one host. Changes
          are detected once there are 14 runs.
        </Empty>
      )}
    </div>
  );
}
