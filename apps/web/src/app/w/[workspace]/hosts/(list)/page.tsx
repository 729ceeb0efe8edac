import type { Metadata } from "next";
import Link from "next/link";
import { HostList } from "@/components/host/host-list";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Hosts" };

export default async function HostsPage({ params }: PageProps<"/w/[workspace]/hosts">) {
  const { workspace } = await params;
  const api = await caller();
  const [hosts, here] = await Promise.all([orNotFound(api.host.list({ workspace })), placeOf(workspace)]);
  const add = here.may.includes("manageHosts") && (
    <Link className="btn" data-kind="primary" href={`/w/${workspace}/hosts/new`}>
      Add a host
    </Link>
  );
  return (
    <>
      <PageHead title="Hosts" actions={add} />
      {hosts.length > 0 ? (
        <HostList workspace={workspace} initial={hosts} />
      ) : (
        <Empty title="No hosts yet">
          A host is a machine that servers are measured on, such as a Raspberry Pi, a Mac or a virtual
          machine. Its owner installs the agent with one command. The agent runs only servers that came with
          it or that the owner put there.
        </Empty>
      )}
    </>
  );
}
