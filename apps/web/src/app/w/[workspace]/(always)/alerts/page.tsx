import type { Metadata } from "next";
import { AlertPage } from "@/components/alert/alert-page";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Alerts" };

export default async function AlertsRoute({ params }: PageProps<"/w/[workspace]/alerts">) {
  const { workspace } = await params;
  const api = await caller();
  const [settings, { providers }] = await Promise.all([
    orNotFound(api.alert.get({ workspace })),
    api.account.me(),
  ]);
  return (
    <>
      <PageHead title="Alerts">
        An alert is sent when the verdict of an entry becomes <em>slower</em>, or when its history shows a
        change. Each change is reported once.{" "}
        <a className="link" href="/docs/alerts">
          What a message contains
        </a>
      </PageHead>
      <AlertPage workspace={workspace} initial={settings} mails={providers.mail === "smtp"} />
    </>
  );
}
