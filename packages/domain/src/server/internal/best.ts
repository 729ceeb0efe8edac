import { all, sql } from "@rigmark/db";
import type { Scenario } from "@rigmark/protocol";
import { type BoundSide, EntrySummary, type ServerBest } from "@rigmark/results";
import type { Ctx } from "../../context";
import { isoOrNull } from "../../internal/moment";
import { loadAttempt } from "../../internal/run/load";
import { storeResults } from "../../internal/run/store-results";
import { trySummarize } from "../../internal/run/summarize";

/** Runs that are looked at, newest first: older ones are of older versions, and a page must not grow with the years. */
const RUNS = 500;
/** Runs from before results were stored that one request sums up. */
const CATCH_UP = 50;

interface Row {
  definition: Scenario;
  host_id: string;
  host_name: string;
  run_id: string;
  run_title: string;
  finished_at: Date | null;
  label: string;
  options: Record<string, number>;
  content_hash: string;
  summary: EntrySummary;
}

/**
 * For each scenario and host the run in which the server did best, with the figures of the run's own page: the median of
 * what ranks there. What a figure is, which trials count and who is compared was decided when the run ended.
 */
export async function bestResults(ctx: Ctx, workspaceId: string, server: string): Promise<ServerBest[]> {
  await catchUp(ctx, workspaceId, server);
  const rows = await all<Row>(
    ctx.db,
    sql`WITH recent AS (
          SELECT r.run_id, r.title, r.finished_at, a.attempt_id, a.host_id
          FROM run r JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
          WHERE r.workspace_id = ${workspaceId} AND r.state = 'succeeded' AND r.deleted_at IS NULL
            AND EXISTS (SELECT 1 FROM entry_result x WHERE x.workspace_id = a.workspace_id AND x.attempt_id = a.attempt_id AND x.server = ${server})
          ORDER BY r.created_at DESC LIMIT ${RUNS}
        )
        SELECT DISTINCT ON (x.scenario_id, c.host_id) s.definition, c.host_id, h.name AS host_name, c.run_id, c.title AS run_title,
          c.finished_at, e.label, e.options, e.content_hash, x.summary
        FROM recent c
        JOIN entry_result x ON x.workspace_id = ${workspaceId} AND x.attempt_id = c.attempt_id AND x.server = ${server}
        JOIN entry e ON e.workspace_id = x.workspace_id AND e.attempt_id = x.attempt_id AND e.entry_key = x.entry_key
        JOIN run_scenario s ON s.workspace_id = x.workspace_id AND s.attempt_id = x.attempt_id AND s.scenario_id = x.scenario_id
        JOIN host h ON h.workspace_id = x.workspace_id AND h.host_id = c.host_id
        WHERE x.figure IS NOT NULL
        ORDER BY x.scenario_id, c.host_id, CASE WHEN x.more_is_better THEN -x.figure ELSE x.figure END, c.finished_at DESC`,
  );
  return rows.map(viewOf);
}

/** Runs that ended before results were stored, a few for each request. */
async function catchUp(ctx: Ctx, workspaceId: string, server: string): Promise<void> {
  const missing = await all<{ run_id: string; attempt_id: string }>(
    ctx.db,
    sql`SELECT r.run_id, a.attempt_id
        FROM run r JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        WHERE r.workspace_id = ${workspaceId} AND r.state = 'succeeded' AND r.deleted_at IS NULL AND a.results_at IS NULL
          AND EXISTS (SELECT 1 FROM entry e WHERE e.workspace_id = a.workspace_id AND e.attempt_id = a.attempt_id AND e.server = ${server})
        ORDER BY r.created_at DESC LIMIT ${CATCH_UP}`,
  );
  for (const { run_id, attempt_id } of missing) {
    const loaded = await loadAttempt(ctx, workspaceId, attempt_id);
    await storeResults(
      ctx,
      { workspaceId, attemptId: attempt_id },
      loaded,
      trySummarize(ctx, run_id, loaded),
    );
  }
}

/** Of results that were stored before packages/stats said it. */
const earlierBound = ({ load }: Scenario, { lower_bound }: EntrySummary): BoundSide | null =>
  load.kind === "rate" && lower_bound ? "at-most" : null;

function viewOf({ definition, ...row }: Row): ServerBest {
  const entry = EntrySummary.parse(row.summary);
  return {
    scenario: definition.id,
    title: definition.title,
    workload: definition.workload,
    tool: definition.tool,
    load: definition.load,
    host: { host_id: row.host_id, name: row.host_name },
    run_id: row.run_id,
    run_title: row.run_title,
    finished_at: isoOrNull(row.finished_at),
    label: row.label,
    options: row.options,
    content_hash: row.content_hash,
    trials: entry.trials_valid,
    requests_per_s: entry.requests_per_s?.median ?? null,
    lower_bound: entry.lower_bound,
    p99_us: entry.percentiles.find((x) => x.p === 99)?.us?.median ?? null,
    latency_bound: entry.latency_bound === undefined ? earlierBound(definition, entry) : entry.latency_bound,
    cpu_us_per_request: entry.cpu_us_per_request?.median ?? null,
    rss_peak_bytes: entry.rss_peak_bytes?.max ?? null,
  };
}
