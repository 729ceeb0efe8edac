import type { Metadata } from "next";
import Link from "next/link";
import { RunList } from "@/components/run/run-list";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { filterInWords, sourceFilter } from "@/lib/source-filter";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage({ params, searchParams }: PageProps<"/w/[workspace]/runs">) {
  const { workspace } = await params;
  const asked = await searchParams;
  const cursor = typeof asked.cursor === "string" ? asked.cursor : null;
  const of = sourceFilter(asked);
  const found = filterInWords(of);
  const api = await caller();
  const [page, hosts] = await Promise.all([
    orNotFound(api.run.list({ workspace, cursor, limit: 30, of })),
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
      {found && (
        <p className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <span>
            Runs of <span className="font-mono text-[0.929rem]">{found}</span>
          </span>
          <Link className="link" href={`/w/${workspace}/runs`}>
            Show all runs
          </Link>
        </p>
      )}
      {page.runs.length > 0 ? (
        <RunList
          key={`${cursor ?? ""} ${found}`}
          workspace={workspace}
          cursor={cursor}
          of={of}
          initial={page}
        />
      ) : found ? (
        <Empty title="No such runs">
          No run of this workspace is about this source. A run has one when CI or the terminal says so as it
          queues or publishes the run.
        </Empty>
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
