import type { Metadata } from "next";
import Link from "next/link";
import { DeletedRuns } from "@/components/run/deleted-runs";
import { NoMatch } from "@/components/run/no-match";
import { RunFilters } from "@/components/run/run-filters";
import { RunList } from "@/components/run/run-list";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { cursorIn } from "@/lib/list-address";
import { chosenIn, runFilter, runsPath } from "@/lib/run-filter";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage({ params, searchParams }: PageProps<"/w/[workspace]/runs">) {
  const { workspace } = await params;
  const asked = await searchParams;
  const cursor = cursorIn(asked.cursor);
  const filter = runFilter(asked);
  const { host, person } = filter;
  const api = await caller();
  const [page, { filters }, deleted, hosts, here] = await Promise.all([
    orNotFound(api.run.list({ workspace, cursor, limit: 30, filter })),
    orNotFound(api.run.filters({ workspace, host, person })),
    orNotFound(api.run.deleted({ workspace })),
    orNotFound(api.host.list({ workspace })),
    placeOf(workspace),
  ]);
  const ready = hosts.some((each) => each.status !== "revoked");
  const filtered = chosenIn(filter).length > 0;
  const mayDelete = here.may.includes("deleteRuns");
  const next = ready ? (
    here.may.includes("queue") && (
      <Link className="btn" data-kind="primary" href={`/w/${workspace}/runs/new`}>
        New run
      </Link>
    )
  ) : here.may.includes("manageHosts") ? (
    <Link className="btn" data-kind="primary" href={`/w/${workspace}/hosts/new`}>
      Add a host
    </Link>
  ) : null;
  const empty = filtered ? (
    <NoMatch workspace={workspace} filter={filter} offered={filters} drop={page.drop} />
  ) : (
    <Empty title="No runs yet">
      {ready
        ? "A run measures servers against each other on one of your hosts: choose the servers and the load, and watch it live. Start with two servers and five blocks."
        : "Runs take place on your own machines. Add one first: one command installs the agent, and the machine appears here as a host within seconds."}
    </Empty>
  );
  return (
    <>
      <PageHead
        title="Runs"
        actions={
          <>
            <Link className="btn" href={`/w/${workspace}/schedules`}>
              Schedules
            </Link>
            {next}
          </>
        }
      />
      {(filters.length > 0 || filtered) && (
        <RunFilters workspace={workspace} filter={filter} offered={filters} />
      )}
      <RunList
        key={runsPath(workspace, filter, cursor)}
        workspace={workspace}
        cursor={cursor}
        filter={filter}
        initial={page}
        mayDelete={mayDelete}
        empty={empty}
      />
      <DeletedRuns workspace={workspace} initial={deleted} mayRestore={mayDelete} />
    </>
  );
}
