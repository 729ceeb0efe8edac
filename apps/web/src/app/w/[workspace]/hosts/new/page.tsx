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
        The agent only calls out, so the machine may stand behind a router. The install command needs Linux on
        x86-64 or ARM64; elsewhere, build the agent from source and enroll it.
      </PageHead>
      <AddHost workspace={workspace} hasAgents={await hasAgents()} />
    </div>
  );
}
