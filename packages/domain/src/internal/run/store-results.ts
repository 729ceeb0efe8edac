import { run, sql, type Tx } from "@rigmark/db";
import type { EntrySummary, RunSummary, ScenarioSummary } from "@rigmark/results";
import { rankingOf } from "@rigmark/results/ranking";
import type { Ctx } from "../../context";
import { storableJson } from "../text";
import type { Loaded } from "./load";

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
  const servers = new Map(entries.map((e) => [e.key, e.server]));
  const rows = (summary?.scenarios ?? []).flatMap((scenario) =>
    scenario.entries.map((entry) => rowOf(scenario, entry, servers.get(entry.entry_key) ?? "")),
  );
  await ctx.db.tx(async (tx) => {
    await run(
      tx,
      sql`DELETE FROM entry_result WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${at.attemptId}`,
    );
    await run(
      tx,
      sql`INSERT INTO entry_result (workspace_id, attempt_id, scenario_id, entry_key, server, metric, more_is_better, figure, summary)
          SELECT ${at.workspaceId}, ${at.attemptId}, r.scenario_id, r.entry_key, r.server, r.metric, r.more_is_better, r.figure, r.summary
          FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS r(scenario_id text, entry_key text, server text, metric text,
            more_is_better boolean, figure float8, summary jsonb)
          ON CONFLICT (workspace_id, attempt_id, scenario_id, entry_key) DO UPDATE SET server = excluded.server,
            metric = excluded.metric, more_is_better = excluded.more_is_better, figure = excluded.figure, summary = excluded.summary`,
    );
    await run(
      tx,
      sql`UPDATE attempt SET results_at = ${ctx.now()} WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${at.attemptId}`,
    );
    await alongside?.(tx);
  });
}

function rowOf(scenario: ScenarioSummary, entry: EntrySummary, server: string) {
  const ranking = rankingOf(scenario.metric);
  // Best is whoever compares with others and did what was asked of it.
  const stands = entry.unranked_code === null && entry.not_sustained === null;
  return {
    scenario_id: scenario.scenario,
    entry_key: entry.entry_key,
    server,
    metric: scenario.metric,
    more_is_better: ranking.moreIsBetter,
    figure: stands ? (ranking.spreadOf(entry)?.median ?? null) : null,
    summary: { ...entry, trials: [] },
  };
}
