import type { Metadata } from "next";
import { AlertPage } from "@/components/alert/alert-page";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Alerts" };

export default async function AlertsRoute({ params }: PageProps<"/w/[workspace]/alerts">) {
  const { workspace } = await params;
  const settings = await orNotFound((await caller()).alert.get({ workspace }));
  return (
    <>
      <PageHead title="Alerts">
        Sent when the verdict of a run becomes <em>slower</em>, and when a run shows a change in its history.
        Each change is told once.{" "}
        <a className="link" href="/docs/alerts">
          What a message holds
        </a>
      </PageHead>
      <AlertPage workspace={workspace} initial={settings} />
    </>
  );
}
