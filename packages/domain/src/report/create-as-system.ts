import type { ReportCreated } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace, requireSystem } from "../internal/access";
import { storeReport } from "./internal/store";

/** For the launcher, which has no person to act for. */
export async function createReportAsSystem({
  ctx,
  input,
}: Call<{ workspace: string; runId: string; title?: string }>): Promise<ReportCreated> {
  requireSystem(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  return storeReport(ctx, {
    workspaceId,
    runIds: [input.runId],
    title: input.title ?? null,
    showHostName: false,
  });
}
