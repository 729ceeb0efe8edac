import { one, sql } from "@rigmark/db";
import type { Samples } from "@rigmark/results/public";
import type { Call } from "../context";
import { DomainError } from "../error";
import { reachRun } from "../internal/reach";
import { findRun } from "../internal/run/find";
import { SampleStore } from "../internal/sample/store";

const COLUMNS = [
  "t_us",
  "measured",
  "requests",
  "loopback_bytes",
  "server_cpu_us",
  "server_rss_bytes",
  "tool_cpu_us",
] as const;

/** The counters of one trial, as the agent read them, at most about `points` of them. */
export async function describeSamples({
  ctx,
  input,
}: Call<{ runId: string; trialId: string; points: number }>): Promise<Samples> {
  const { workspaceId } = await reachRun(ctx, input.runId, "read");
  const { attempt_id: attemptId } = await findRun(ctx, workspaceId, input.runId);
  const trial = await one<{ trial_id: string; measure_us: number | null }>(
    ctx.db,
    sql`SELECT trial_id, measure_us FROM trial
        WHERE workspace_id = ${workspaceId} AND attempt_id = ${attemptId} AND trial_id = ${input.trialId}`,
  );
  if (!trial || !attemptId) throw new DomainError("not_found", "The run has no such trial.");
  const [series] = await SampleStore.read(ctx.db, { workspaceId, attemptId }, { trialIds: [trial.trial_id] });
  const all = series?.samples ?? [];
  const kept = SampleStore.downsample(all, input.points);
  const origin = trial.measure_us ?? all.find((s) => s.measured)?.t_us ?? all[0]?.t_us ?? 0;
  return {
    trial: trial.trial_id,
    columns: [...COLUMNS],
    t_us: kept.map((s) => s.t_us - origin),
    measured: kept.map((s) => s.measured),
    requests: kept.map((s) => s.requests),
    loopback_bytes: kept.map((s) => s.loopback_bytes),
    server_cpu_us: kept.map((s) => s.server_cpu_us),
    server_rss_bytes: kept.map((s) => s.server_rss_bytes),
    tool_cpu_us: kept.map((s) => s.tool_cpu_us),
    thinned: kept.length < all.length,
  };
}
