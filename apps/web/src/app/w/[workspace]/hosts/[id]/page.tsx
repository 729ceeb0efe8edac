import type { Metadata } from "next";
import { HostPage } from "@/components/host/host-page";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Host" };

export default async function HostRoute({ params }: PageProps<"/w/[workspace]/hosts/[id]">) {
  const { workspace, id } = await params;
  const host = await orNotFound((await caller()).host.get({ workspace, hostId: id }));
  return <HostPage workspace={workspace} initial={host} />;
}
