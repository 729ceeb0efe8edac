import { published } from "@rigmark/results";
import type { RunSnapshot } from "@rigmark/results/public";
import type { Call } from "../context";
import { reachRun } from "../internal/reach";
import { gapsOf } from "../internal/run/gaps";
import { readRun } from "../internal/run/read-run";

/** A run in the fields that a report has of it, for programs that show it as they show a report or a file. */
export async function describeSnapshot({ ctx, input }: Call<{ runId: string }>): Promise<RunSnapshot> {
  const { workspaceId } = await reachRun(ctx, input.runId, "read");
  const { view } = await readRun(ctx, workspaceId, input.runId);
  const { run_id, title, state, timings, source, published_by, spec, entries, scenarios, blocks } = view;
  const { trials, verify, labels, environment, summary, repeat_command } = view;
  return {
    run_id,
    title,
    state,
    started_at: timings.started_at,
    finished_at: timings.finished_at,
    source,
    published_by,
    spec,
    gaps: gapsOf(view),
    entries,
    scenarios,
    blocks,
    trials,
    verify,
    labels,
    environment: environment && published(environment),
    summary,
    repeat_command,
  };
}
