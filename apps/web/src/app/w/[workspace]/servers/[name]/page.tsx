import type { Metadata } from "next";
import { ServerPage } from "@/components/server/server-page";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orNotFound } from "@/trpc/reach";

export async function generateMetadata({
  params,
}: PageProps<"/w/[workspace]/servers/[name]">): Promise<Metadata> {
  return { title: (await params).name };
}

export default async function ServerRoute({ params }: PageProps<"/w/[workspace]/servers/[name]">) {
  const { workspace, name } = await params;
  const [server, here] = await Promise.all([
    orNotFound((await caller()).server.get({ workspace, server: name })),
    placeOf(workspace),
  ]);
  return <ServerPage workspace={workspace} server={server} mayQueue={here.may.includes("queue")} />;
}
