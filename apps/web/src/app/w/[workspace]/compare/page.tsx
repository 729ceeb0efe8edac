import type { Metadata } from "next";
import Link from "next/link";
import { ComparePage } from "@/components/compare/compare-page";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { compareState } from "@/lib/compare-path";
import { caller } from "@/trpc/caller";
import { orDeleted, orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Compare runs" };

export default async function CompareRoute({ params, searchParams }: PageProps<"/w/[workspace]/compare">) {
  const { workspace } = await params;
  const state = compareState(await searchParams);
  const api = await caller();
  if (!state) {
    await orNotFound(api.workspace.get({ workspace }));
    return (
      <>
        <PageHead title="Compare runs" />
        <Empty title="No runs to compare">
          Tick up to 20 runs in the{" "}
          <Link className="link" href={`/w/${workspace}/runs`}>
            list of runs
          </Link>{" "}
          and choose Compare.
        </Empty>
      </>
    );
  }
  const reached = await orDeleted(api.run.compare({ workspace, ...state }));
  if ("found" in reached)
    return <ComparePage workspace={workspace} state={state} comparison={reached.found} />;
  return (
    <>
      <PageHead title="Compare runs" />
      <Empty title="One of these runs was deleted">
        {reached.deleted} Restore it in the{" "}
        <Link className="link" href={`/w/${workspace}/runs`}>
          list of runs
        </Link>
        , or choose other runs there.
      </Empty>
    </>
  );
}
