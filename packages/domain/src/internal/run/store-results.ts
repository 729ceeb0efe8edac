import { run, sql, type Tx } from "@rigmark/db";
import type { EntrySummary, RunSummary, ScenarioSummary } from "@rigmark/results";
import { rankingOf, signOf } from "@rigmark/results/ranking";
import type { Ctx } from "../../context";
import { storableJson } from "../text";
import type { Loaded } from "./load";

/** Of a summary what a history reads of thousands of runs. */
export interface ResultBrief extends Pick<EntrySummary, "lower_bound" | "latency_bound"> {
  /** Over the trials. */
  range: { min: number; max: number } | null;
  /** Interval of the ratio to the run's own baseline. */
  ratio: { low: number; high: number } | null;
  /** The ratio itself; null where it is only a bound. Absent in results that an older version stored. */
  estimate?: number | null;
}

/**
 * Keeps what the statistics said of each entry under each scenario, so that a page can look through many runs without
 * summing them up. Of a run that ended; again when its journal is read again.
 */
export async function storeResults(
  ctx: Ctx,
  at: { workspaceId: string; attemptId: string },
  { entries }: Pick<Loaded, "entries">,
  summary: RunSummary | null,
  /** What is there at the very moment from which the run counts as having its results. */
  alongside?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const named = new Map(entries.map((e) => [e.key, e]));
  const rows = (summary?.scenarios ?? []).flatMap((scenario) =>
    scenario.entries.map((entry) => rowOf(scenario, entry, named.get(entry.entry_key))),
  );
  await ctx.db.tx(async (tx) => {
    await run(
      tx,
      sql`DELETE FROM entry_result WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${at.attemptId}`,
    );
    await run(
      tx,
      sql`INSERT INTO entry_result (workspace_id, attempt_id, scenario_id, entry_key, server, metric, more_is_better, figure, summary,
            brief, host_id, label, run_created_at)
          SELECT ${at.workspaceId}, ${at.attemptId}, s.scenario_id, s.entry_key, s.server, s.metric, s.more_is_better, s.figure, s.summary,
            s.brief, a.host_id, s.label, r.created_at
          FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS s(scenario_id text, entry_key text, server text, metric text,
            more_is_better boolean, figure float8, summary jsonb, brief jsonb, label text)
          JOIN attempt a ON a.workspace_id = ${at.workspaceId} AND a.attempt_id = ${at.attemptId}
          JOIN run r ON r.workspace_id = a.workspace_id AND r.run_id = a.run_id
          ON CONFLICT (workspace_id, attempt_id, scenario_id, entry_key) DO UPDATE SET server = excluded.server,
            metric = excluded.metric, more_is_better = excluded.more_is_better, figure = excluded.figure, summary = excluded.summary,
            brief = excluded.brief, label = excluded.label`,
    );
    await run(
      tx,
      sql`UPDATE attempt SET results_at = ${ctx.now()} WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${at.attemptId}`,
    );
    await alongside?.(tx);
  });
}

function rowOf(scenario: ScenarioSummary, entry: EntrySummary, named: Loaded["entries"][number] | undefined) {
  const ranking = rankingOf(scenario.metric);
  // Best is whoever compares with others and did what was asked of it.
  const stands = entry.unranked_code === null && entry.not_sustained === null;
  const spread = ranking.spreadOf(entry);
  const brief: ResultBrief = {
    lower_bound: entry.lower_bound,
    latency_bound: entry.latency_bound,
    range: spread && { min: spread.min, max: spread.max },
    ratio: entry.ratio && { low: entry.ratio.low, high: entry.ratio.high },
    estimate: entry.ratio && signOf(entry) === null ? entry.ratio.estimate : null,
  };
  return {
    scenario_id: scenario.scenario,
    entry_key: entry.entry_key,
    server: named?.server ?? "",
    label: named?.label ?? null,
    brief,
    metric: scenario.metric,
    more_is_better: ranking.moreIsBetter,
    figure: stands ? (spread?.median ?? null) : null,
    summary: { ...entry, trials: [] },
  };
}
