import type { Metadata } from "next";
import Link from "next/link";
import { HistoryList } from "@/components/history/history-list";
import { HistoryPage } from "@/components/history/history-page";
import { HistorySearch, NoHistoryHere } from "@/components/history/history-search";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { PageLinks } from "@/components/ui/page-links";
import { historiesPath, historyState } from "@/lib/history-path";
import { cursorIn, searchIn } from "@/lib/list-address";
import { plainLine } from "@/lib/text";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orNotFound, orReason } from "@/trpc/reach";

/** Of the address alone: links to this page ask for its title when they come into view. */
export async function generateMetadata({
  searchParams,
}: PageProps<"/w/[workspace]/history">): Promise<Metadata> {
  const state = historyState(await searchParams);
  return { title: state ? `History of ${plainLine(state.label)}: ${plainLine(state.scenario)}` : "History" };
}

export default async function HistoryRoute({ params, searchParams }: PageProps<"/w/[workspace]/history">) {
  const { workspace } = await params;
  const asked = await searchParams;
  const state = historyState(asked);
  if (state) {
    const reached = await orReason((await caller()).history.get({ workspace, ...state }));
    if ("found" in reached) return <HistoryPage workspace={workspace} state={state} view={reached.found} />;
    return (
      <>
        <PageHead title="History" />
        <Empty
          title="This history is gone"
          action={
            <Link className="btn" href={historiesPath(workspace)}>
              Other histories
            </Link>
          }
        >
          {reached.reason}
        </Empty>
      </>
    );
  }
  const [q, cursor] = [searchIn(asked.q), cursorIn(asked.cursor)];
  const [{ series, next_cursor }, here] = await Promise.all([
    orNotFound((await caller()).history.list({ workspace, q, cursor })),
    placeOf(workspace),
  ]);
  const whole = q === "" && cursor === null;
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
      {(series.length > 0 || !whole) && <HistorySearch workspace={workspace} q={q} />}
      {series.length > 0 ? (
        <HistoryList workspace={workspace} series={series} />
      ) : !whole ? (
        <NoHistoryHere workspace={workspace} q={q} />
      ) : (
        <Empty
          title="No history yet"
          action={
            here.may.includes("queue") && (
              <Link className="btn" data-kind="primary" href={`/w/${workspace}/runs/new`}>
                New run
              </Link>
            )
          }
        >
          A history begins with the second run of the same entry under the same scenario on one host. Changes
          are detected once there are 14 runs.
        </Empty>
      )}
      <PageLinks
        label="Pages of histories"
        what="histories"
        cursor={cursor}
        next={next_cursor}
        path={(page) => historiesPath(workspace, { q, cursor: page })}
      />
    </div>
  );
}
