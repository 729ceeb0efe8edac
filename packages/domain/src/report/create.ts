import type { Call } from "../context";
import { enterWorkspace } from "../workspace/access";
import { storeReport } from "./store";
import type { ReportCreated } from "./view";

export async function create({
  ctx,
  input,
}: Call<{
  workspace: string;
  runId: string;
  title?: string | undefined;
  showHostName: boolean;
}>): Promise<ReportCreated> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace);
  return storeReport(ctx, { ...input, workspaceId, title: input.title ?? null });
}
