import { MOST_COMPARED } from "@rigmark/results/comparable";
import type { Metadata } from "next";
import Link from "next/link";
import { CompareLink } from "@/components/compare/compare-link";
import { ComparePage } from "@/components/compare/compare-page";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { comparePath, compareState, withoutGone } from "@/lib/compare-path";
import { plural } from "@/lib/text";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orReason } from "@/trpc/reach";

/** Of the address alone: links to this page ask for its title when they come into view. */
export async function generateMetadata({
  searchParams,
}: PageProps<"/w/[workspace]/compare">): Promise<Metadata> {
  const state = compareState(await searchParams);
  const many = state && typeof state !== "string" ? state.runIds.length + (state.reports?.length ?? 0) : 0;
  return { title: many > 0 ? `Compare ${plural(many, "run")}` : "Compare runs" };
}

export default async function CompareRoute({ params, searchParams }: PageProps<"/w/[workspace]/compare">) {
  const { workspace } = await params;
  const state = compareState(await searchParams);
  if (!state || typeof state === "string") {
    await placeOf(workspace);
    return (
      <>
        <PageHead title="Compare runs" />
        <Empty title={state ? "These runs cannot be compared" : "No runs to compare"}>
          {state} Tick up to {MOST_COMPARED} runs in the{" "}
          <Link className="link" href={`/w/${workspace}/runs`}>
            list of runs
          </Link>{" "}
          and choose Compare.
        </Empty>
      </>
    );
  }
  // The comparison has all rows and figures in the plan's order; the page leaves some out and sorts them.
  const { only: _only, figure: _figure, order: _order, ...asked } = state;
  const [reached, here] = await Promise.all([
    orReason((await caller()).run.compare({ workspace, ...asked })),
    placeOf(workspace),
  ]);
  if ("found" in reached)
    return (
      <ComparePage
        workspace={workspace}
        state={withoutGone(state, reached.found)}
        comparison={reached.found}
        mayShare={here.may.includes("queue")}
      />
    );
  return (
    <>
      <PageHead title="Compare runs" />
      <Empty
        title={reached.deleted ? "What this link compares was deleted" : "These runs cannot be compared"}
        action={
          <>
            {/* A run that was removed may be the one that the baseline has its name from. */}
            {state.baseline !== undefined && !reached.deleted && (
              <CompareLink
                className="btn whitespace-normal"
                href={comparePath(workspace, { ...state, baseline: undefined })}
              >
                Compare with each run's own baseline
              </CompareLink>
            )}
            <Link className="btn" href={`/w/${workspace}/runs`}>
              Go to runs
            </Link>
          </>
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
