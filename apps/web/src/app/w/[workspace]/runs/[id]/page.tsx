import type { Metadata } from "next";
import { RunPage } from "@/components/run/run-page";
import { pointsFor } from "@/lib/live-points";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Run" };

export default async function RunRoute({ params }: PageProps<"/w/[workspace]/runs/[id]">) {
  const { workspace, id } = await params;
  const api = await caller();
  const input = { workspace, runId: id };
  const run = await orNotFound(api.run.get(input));
  const [{ series }, { lines, before }, merged] = await Promise.all([
    api.run.series({ ...input, maxPoints: pointsFor(run.trials.length) }),
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
    />
  );
}
