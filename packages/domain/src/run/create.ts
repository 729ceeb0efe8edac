import { run, sql } from "@rigmark/db";
import type { RunSpec, Source } from "@rigmark/protocol";
import type { ReportRunName, RunCreated } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { checkRun, queue } from "../internal/run/queue";
import { findReportRun } from "../report/find-run";

export async function createRun({
  ctx,
  input,
}: Call<{
  workspace: string;
  hostId: string;
  spec: RunSpec;
  source?: Source | null | undefined;
  /** Its plan is that of a report's run, whose result is then shown beside its own. */
  repeats?: ReportRunName | undefined;
}>): Promise<RunCreated> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  const { repeats } = input;
  if (repeats === undefined) return queue(ctx, workspaceId, input.hostId, input.spec, input.source);
  // The host first: a report may be megabytes to read.
  await checkRun(ctx, workspaceId, input.hostId, input.spec);
  await findReportRun(ctx, repeats);
  return queue(ctx, workspaceId, input.hostId, input.spec, input.source, async (tx, runId) => {
    await run(
      tx,
      sql`UPDATE run SET repeats = ${repeats} WHERE workspace_id = ${workspaceId} AND run_id = ${runId}`,
    );
  });
}
