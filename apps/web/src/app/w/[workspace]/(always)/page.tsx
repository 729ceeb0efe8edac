import { FINAL_STATES, LIVE_STATES } from "@rigmark/protocol";
import type { Metadata } from "next";
import Link from "next/link";
import { PageHead } from "@/components/ui/page-head";
import { ALERTS_SHOWN } from "@/components/workspace/alerts-shown";
import { OverviewPage } from "@/components/workspace/overview-page";
import { plainLine } from "@/lib/text";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Overview" };

/** What a workspace is asked for first: what runs now, what changed, and which hosts are well. */
export default async function WorkspacePage({ params }: PageProps<"/w/[workspace]">) {
  const { workspace } = await params;
  const api = await caller();
  const [here, live, ended, hosts, alerts] = await Promise.all([
    placeOf(workspace),
    orNotFound(api.run.list({ workspace, limit: 10, filter: { status: [...LIVE_STATES] } })),
    orNotFound(api.run.list({ workspace, limit: 6, filter: { status: [...FINAL_STATES] } })),
    orNotFound(api.host.list({ workspace })),
    orNotFound(api.alert.list({ workspace, limit: ALERTS_SHOWN })),
  ]);
  return (
    <>
      <PageHead
        title={<bdi>{plainLine(here.name)}</bdi>}
        actions={
          here.may.includes("queue") && hosts.some((host) => host.status !== "revoked") ? (
            <Link className="btn" data-kind="primary" href={`/w/${workspace}/runs/new`}>
              New run
            </Link>
          ) : undefined
        }
      />
      <OverviewPage
        workspace={workspace}
        live={live}
        ended={ended}
        hosts={hosts}
        alerts={alerts}
        may={{ queue: here.may.includes("queue"), manageHosts: here.may.includes("manageHosts") }}
      />
    </>
  );
}
