import type { RunBrief } from "@rigmark/results/public";
import type { Call } from "../context";
import { reachRun } from "../internal/reach";
import { cancelRun } from "./cancel";
import { describeRun } from "./describe";

/** Cancels a run that is given by its id alone, for the public API. */
export async function cancelRunById({ ctx, input }: Call<{ runId: string }>): Promise<RunBrief> {
  const { slug } = await reachRun(ctx, input.runId, "queue");
  await cancelRun({ ctx, input: { workspace: slug, runId: input.runId } });
  return describeRun({ ctx, input });
}
