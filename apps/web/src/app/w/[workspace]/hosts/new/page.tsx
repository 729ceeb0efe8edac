import type { Metadata } from "next";
import { AddHost } from "@/components/host/add-host";
import { PageHead } from "@/components/ui/page-head";
import { hasAgents } from "@/server/release";

export const metadata: Metadata = { title: "Add a host" };

export default async function AddHostPage({ params }: PageProps<"/w/[workspace]/hosts/new">) {
  const { workspace } = await params;
  return (
    <div className="max-w-[54rem]">
      <PageHead title="Add a host">
        A Raspberry Pi, an x86 machine, or a Mac; nobody has tried a real Mac yet. The agent only calls out,
        so the machine may stand behind a router.
      </PageHead>
      <AddHost workspace={workspace} hasAgents={await hasAgents()} />
    </div>
  );
}
