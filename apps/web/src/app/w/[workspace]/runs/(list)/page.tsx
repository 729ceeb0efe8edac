import type { Metadata } from "next";
import Link from "next/link";
import { RunList } from "@/components/run/run-list";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage({ params, searchParams }: PageProps<"/w/[workspace]/runs">) {
  const { workspace } = await params;
  const { cursor: asked } = await searchParams;
  const cursor = typeof asked === "string" ? asked : null;
  const api = await caller();
  const [page, hosts] = await Promise.all([
    orNotFound(api.run.list({ workspace, cursor, limit: 30 })),
    orNotFound(api.host.list({ workspace })),
  ]);
  const ready = hosts.some((host) => host.status !== "revoked");
  const next = ready ? (
    <Link className="btn" data-kind="primary" href={`/w/${workspace}/runs/new`}>
      New run
    </Link>
  ) : (
    <Link className="btn" data-kind="primary" href={`/w/${workspace}/hosts/new`}>
      Add a host
    </Link>
  );
  return (
    <>
      <PageHead title="Runs" actions={next} />
      {page.runs.length > 0 ? (
        <RunList key={cursor ?? ""} workspace={workspace} cursor={cursor} initial={page} />
      ) : (
        <Empty title="No runs yet">
          {ready
            ? "A run measures servers against each other on one of your hosts: choose the servers and the load, and watch it live. Start with two servers and five blocks."
            : "A run happens on one of your own machines. Add one first: a single command installs the agent, and this app sees it within seconds."}
        </Empty>
      )}
    </>
  );
}
