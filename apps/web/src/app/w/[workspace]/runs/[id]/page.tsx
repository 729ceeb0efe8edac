import { pagePoints } from "@rigmark/results/points";
import type { Metadata } from "next";
import { DeletedRun } from "@/components/run/deleted-run";
import { RunPage } from "@/components/run/run-page";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orDeleted } from "@/trpc/reach";

export const metadata: Metadata = { title: "Run" };

export default async function RunRoute({ params }: PageProps<"/w/[workspace]/runs/[id]">) {
  const { workspace, id } = await params;
  const api = await caller();
  const input = { workspace, runId: id };
  const [reached, here] = await Promise.all([orDeleted(api.run.get(input)), placeOf(workspace)]);
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
