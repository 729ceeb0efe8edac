import type { Metadata } from "next";
import Link from "next/link";
import { ScheduleList } from "@/components/schedule/schedule-list";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Schedules" };

export default async function SchedulesPage({ params }: PageProps<"/w/[workspace]/schedules">) {
  const { workspace } = await params;
  const list = await orNotFound((await caller()).schedule.list({ workspace }));
  return (
    <>
      <PageHead
        title="Schedules"
        actions={
          <Link className="btn" href={`/w/${workspace}/runs`}>
            Runs
          </Link>
        }
      >
        The app queues these runs automatically, on set days at a set time.
      </PageHead>
      <ScheduleList workspace={workspace} initial={list} />
    </>
  );
}
