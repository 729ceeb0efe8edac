import type { Metadata } from "next";
import Link from "next/link";
import { ReportList } from "@/components/report/report-list";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { cursorIn } from "@/lib/list-address";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Reports" };

export default async function ReportsPage({ params, searchParams }: PageProps<"/w/[workspace]/reports">) {
  const { workspace } = await params;
  const cursor = cursorIn((await searchParams).cursor);
  const list = await orNotFound((await caller()).report.list({ workspace, cursor }));
  return (
    <>
      <PageHead title="Reports">
        Frozen copies of runs. Unless you choose otherwise, anyone with the link can read a report until it
        expires or is revoked.
      </PageHead>
      {list.reports.length > 0 ? (
        <ReportList workspace={workspace} cursor={cursor} initial={list} />
      ) : cursor !== null ? (
        <p className="panel px-4 py-3 text-ink-2">
          No report is left here.{" "}
          <Link className="link" href={`/w/${workspace}/reports`}>
            Show all reports
          </Link>
        </p>
      ) : (
        <Empty
          title="No reports yet"
          action={
            <Link className="btn" href={`/w/${workspace}/runs`}>
              Go to runs
            </Link>
          }
        >
          Open a finished run and press Share. You get a link to paste into a pull request, with a picture, a
          table in Markdown and a badge.
        </Empty>
      )}
    </>
  );
}
