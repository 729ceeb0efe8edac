import type { Metadata } from "next";
import Link from "next/link";
import { ServerList } from "@/components/server/server-list";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Servers" };

export default async function ServersPage({ params }: PageProps<"/w/[workspace]/servers">) {
  const { workspace } = await params;
  const [servers, here] = await Promise.all([
    orNotFound((await caller()).server.list({ workspace })),
    placeOf(workspace),
  ]);
  return (
    <>
      <PageHead title="Servers">The servers that you can measure, as reported by your hosts.</PageHead>
      {servers.length > 0 ? (
        <ServerList workspace={workspace} servers={servers} />
      ) : (
        <Empty
          title="No servers yet"
          action={
            here.may.includes("manageHosts") && (
              <Link className="btn" data-kind="primary" href={`/w/${workspace}/hosts/new`}>
                Add a host
              </Link>
            )
          }
        >
          Some servers come with the agent; the owner of a host can add more. They appear here as soon as a
          host reports what it can build.
        </Empty>
      )}
    </>
  );
}
