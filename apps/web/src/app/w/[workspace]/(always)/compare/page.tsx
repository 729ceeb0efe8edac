import type { Metadata } from "next";
import Link from "next/link";
import { cache } from "react";
import { ComparePage } from "@/components/compare/compare-page";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { type CompareState, compareState } from "@/lib/compare-path";
import { plainLine, plural } from "@/lib/text";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orReason } from "@/trpc/reach";

/** Once a request, for the page and its title: `state` is text, since two objects would be two requests. */
const load = cache(async (workspace: string, state: string) =>
  orReason((await caller()).run.compare({ workspace, ...(JSON.parse(state) as CompareState) })),
);

export async function generateMetadata({
  params,
  searchParams,
}: PageProps<"/w/[workspace]/compare">): Promise<Metadata> {
  const state = compareState(await searchParams);
  // What is wrong is for the page to say.
  const reached = state && (await load((await params).workspace, JSON.stringify(state)).catch(() => null));
  if (!reached || !("found" in reached)) return { title: "Compare runs" };
  const [first = "", second, ...rest] = reached.found.runs.map(
    (run) => plainLine(run.title) || run.run_id.slice(0, 8),
  );
  const others = rest.length > 0 ? plural(rest.length + 1, "other run") : second;
  return { title: others === undefined ? `Compare ${first}` : `Compare ${first} and ${others}` };
}

export default async function CompareRoute({ params, searchParams }: PageProps<"/w/[workspace]/compare">) {
  const { workspace } = await params;
  const state = compareState(await searchParams);
  if (!state) {
    await placeOf(workspace);
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
  const [reached, here] = await Promise.all([load(workspace, JSON.stringify(state)), placeOf(workspace)]);
  if ("found" in reached)
    return (
      <ComparePage
        workspace={workspace}
        state={state}
        comparison={reached.found}
        mayShare={here.may.includes("queue")}
      />
    );
  return (
    <>
      <PageHead title="Compare runs" />
      <Empty
        title={reached.deleted ? "One of these runs was deleted" : "These runs cannot be compared"}
        action={
          <Link className="btn" href={`/w/${workspace}/runs`}>
            Go to runs
          </Link>
        }
      >
        {reached.reason}
        {reached.deleted &&
          (here.may.includes("deleteRuns")
            ? " Restore it in the list of runs, or choose others there."
            : " Ask an admin or an owner of the workspace to restore it, or choose other runs.")}
      </Empty>
    </>
  );
}
