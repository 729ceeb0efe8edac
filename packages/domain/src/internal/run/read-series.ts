import { sql } from "@rigmark/db";
import type { TrialSeries } from "@rigmark/results";
import type { Ctx } from "../../context";
import { withoutIdle } from "../sample/idle";
import { toPoints } from "../sample/rates";
import { SampleStore } from "../sample/store";
import { loadTrials } from "./load";

/** Series of an attempt's trials, in the order of the plan. */
export async function readSeries(
  ctx: Ctx,
  key: { workspaceId: string; attemptId: string },
  filter: { trialId?: string | undefined; maxPoints: number; afterSeq?: number; upToSeq?: number },
): Promise<TrialSeries[]> {
  const stored = await SampleStore.read(ctx.db, key, {
    ...(filter.trialId ? { trialIds: [filter.trialId] } : {}),
    ...(filter.afterSeq === undefined ? {} : { afterSeq: filter.afterSeq }),
  });
  if (stored.length === 0) return [];
  const ids = stored.map((s) => s.trialId);
  const trials = await loadTrials(
    ctx,
    sql`t.workspace_id = ${key.workspaceId} AND t.attempt_id = ${key.attemptId} AND t.trial_id = ANY(${ids}::uuid[])`,
  );
  return trials.map((trial) => {
    const all = stored.find((s) => s.trialId === trial.trial_id)?.samples ?? [];
    const samples = withoutIdle(all.filter((s) => s.seq <= (filter.upToSeq ?? Number.POSITIVE_INFINITY)));
    const kept = SampleStore.downsample(samples, filter.maxPoints);
    return {
      trial_id: trial.trial_id,
      entry_key: trial.entry_key,
      points: toPoints(kept, trial, filter.afterSeq),
      downsampled: kept.length < samples.length,
    };
  });
}
