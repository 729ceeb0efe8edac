import { ReportRunName } from "@rigmark/results";
import type { Metadata } from "next";
import { AddHost } from "@/components/host/add-host";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { hasAgents } from "@/server/release";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Add a host" };

export default async function AddHostPage({ params, searchParams }: PageProps<"/w/[workspace]/hosts/new">) {
  const { workspace } = await params;
  const report = ReportRunName.safeParse((await searchParams).report);
  const api = await caller();
  const [here, network, account] = await Promise.all([
    placeOf(workspace),
    orNotFound(api.network.get({ workspace })),
    api.account.me(),
  ]);
  if (!here.may.includes("manageHosts"))
    return (
      <>
        <PageHead title="Add a host" />
        <Empty title="You cannot add hosts here">
          Your role here is {here.role}. Ask an admin or an owner for another one.
        </Empty>
      </>
    );
  return (
    <div className="max-w-[54rem]">
      <PageHead title="Add a host">
        Add an x86 machine, a Raspberry Pi or a Mac (the last two are not yet tested on real hardware). The
        agent only makes outgoing connections, so the machine can be behind a router.
      </PageHead>
      <AddHost
        workspace={workspace}
        hasAgents={await hasAgents()}
        network={network}
        publicUrl={account.public_url}
        report={report.success ? report.data : null}
      />
    </div>
  );
}
