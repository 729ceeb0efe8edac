import type { ReportCreated, ReportDays, ReportVisibility } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { storeReport } from "./internal/store";

/** Of one run, or of several beside each other: each has to be of this workspace. */
export async function createReport({
  ctx,
  input,
}: Call<
  {
    workspace: string;
    title?: string | undefined;
    baseline?: string | undefined;
    showHostName: boolean;
    /** Without it: whoever has the link. */
    visibility?: ReportVisibility | undefined;
    /** Without it: never. */
    expiresInDays?: ReportDays | undefined;
  } & ({ runId: string } | { runIds: readonly string[] })
>): Promise<ReportCreated> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  return storeReport(ctx, {
    workspaceId,
    runIds: "runIds" in input ? input.runIds : [input.runId],
    title: input.title ?? null,
    showHostName: input.showHostName,
    baseline: input.baseline,
    visibility: input.visibility,
    expiresInDays: input.expiresInDays,
  });
}
