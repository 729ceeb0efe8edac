import { pagePoints } from "@rigmark/results/points";
import type { Metadata } from "next";
import { cache } from "react";
import { DeletedRun } from "@/components/run/deleted-run";
import { RunPage } from "@/components/run/run-page";
import { nameOf } from "@/lib/run-name";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orDeleted } from "@/trpc/reach";

/** Once a request, for the page and its title. */
const load = cache(async (workspace: string, runId: string) =>
  orDeleted((await caller()).run.get({ workspace, runId })),
);

export async function generateMetadata({ params }: PageProps<"/w/[workspace]/runs/[id]">): Promise<Metadata> {
  const { workspace, id } = await params;
  // What is wrong is for the page to say.
  const reached = await load(workspace, id).catch(() => null);
  if (!reached || !("found" in reached)) return { title: "Run" };
  const { title, spec } = reached.found;
  return { title: nameOf({ title, entries: spec.entries }) };
}

export default async function RunRoute({ params }: PageProps<"/w/[workspace]/runs/[id]">) {
  const { workspace, id } = await params;
  const api = await caller();
  const input = { workspace, runId: id };
  const [reached, here] = await Promise.all([load(workspace, id), placeOf(workspace)]);
  const mayDelete = here.may.includes("deleteRuns");
  if ("deleted" in reached)
    return <DeletedRun workspace={workspace} runId={id} sentence={reached.deleted} mayRestore={mayDelete} />;
  const run = reached.found;
  const [{ series }, { lines, before }, merged] = await Promise.all([
    api.run.series({ ...input, maxPoints: pagePoints(run.trials.length) }),
    api.run.logs({ ...input, limit: 200 }),
    run.final ? api.run.curves(input) : null,
  ]);
  return (
    <RunPage
      workspace={workspace}
      initial={run}
      series={series}
      curves={merged?.curves ?? null}
      logs={lines}
      logsComplete={before === null}
      mayDelete={mayDelete}
    />
  );
}
