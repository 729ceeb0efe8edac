import type { Metadata } from "next";
import { cache } from "react";
import { HostPage } from "@/components/host/host-page";
import { plainLine } from "@/lib/text";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

/** Once a request, for the page and its title. */
const load = cache(async (workspace: string, hostId: string) =>
  orNotFound((await caller()).host.get({ workspace, hostId })),
);

export async function generateMetadata({
  params,
}: PageProps<"/w/[workspace]/hosts/[id]">): Promise<Metadata> {
  const { workspace, id } = await params;
  // What is wrong is for the page to say.
  const host = await load(workspace, id).catch(() => null);
  return { title: host ? plainLine(host.name) : "Host" };
}

export default async function HostRoute({ params }: PageProps<"/w/[workspace]/hosts/[id]">) {
  const { workspace, id } = await params;
  return <HostPage workspace={workspace} initial={await load(workspace, id)} />;
}
