import { all, sql } from "@rigmark/db";
import type { Scenario } from "@rigmark/protocol";
import type { EntrySummary, RunSummary, ServerBest } from "@rigmark/results";
import type { Ctx } from "../../context";
import { isoOrNull } from "../../internal/moment";
import { loadAttempt } from "../../internal/run/load";
import { trySummarize } from "../../internal/run/summarize";

/** Runs that are looked at, newest first: older ones are of older versions, and a page must not grow with the years. */
const RUNS = 500;
/** Of a scenario on a host: how many are summed up until one of them counts. */
const TRIES = 3;

interface Row {
  definition: Scenario;
  scenario_id: string;
  attempt_id: string;
  entry_key: string;
  host_id: string;
  host_name: string;
  run_id: string;
  run_title: string;
  finished_at: Date | null;
  label: string;
  options: Record<string, number>;
  content_hash: string;
}

/**
 * For each scenario and host the run in which the server did best, with the figures that the run's own page has: the
 * median of what ranks there. The database only says which runs to sum up first; what a figure is, which trials count
 * and who is compared at all is said by the summary.
 */
export async function bestResults(ctx: Ctx, workspaceId: string, server: string): Promise<ServerBest[]> {
  const summaries = new Map<string, Promise<RunSummary | null>>();
  const summaryOf = (row: Row): Promise<RunSummary | null> => {
    const made =
      summaries.get(row.attempt_id) ??
      loadAttempt(ctx, workspaceId, row.attempt_id).then((loaded) => trySummarize(ctx, row.run_id, loaded));
    summaries.set(row.attempt_id, made);
    return made;
  };
  const best = new Map<string, ServerBest>();
  for (const row of await candidates(ctx, workspaceId, server)) {
    const place = `${row.scenario_id} ${row.host_id}`;
    if (best.has(place)) continue;
    const scenario = (await summaryOf(row))?.scenarios.find((s) => s.scenario === row.scenario_id);
    const entry = scenario?.entries.find((e) => e.entry_key === row.entry_key);
    if (entry && entry.unranked_reason === null) best.set(place, viewOf(row, entry));
  }
  return [...best.values()];
}

const viewOf = ({ definition, ...row }: Row, entry: EntrySummary): ServerBest => ({
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
  cpu_us_per_request: entry.cpu_us_per_request?.median ?? null,
  rss_peak_bytes: entry.rss_peak_bytes?.max ?? null,
});

/**
 * Entries by their medians of what ranks, the best first, a few for each scenario and host. An entry that failed a
 * verification of the scenario, in whichever block, and one that did not sustain the rate in any of its valid trials are none.
 */
const candidates = (ctx: Ctx, workspaceId: string, server: string): Promise<Row[]> =>
  all<Row>(
    ctx.db,
    sql`WITH recent AS (
          SELECT r.workspace_id, r.run_id, r.title, r.finished_at, a.attempt_id, a.host_id
          FROM run r JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
          WHERE r.workspace_id = ${workspaceId} AND r.state = 'succeeded'
            AND EXISTS (SELECT 1 FROM entry e WHERE e.workspace_id = a.workspace_id AND e.attempt_id = a.attempt_id AND e.server = ${server})
          ORDER BY r.created_at DESC LIMIT ${RUNS}
        ), figures AS (
          SELECT c.run_id, c.title AS run_title, c.finished_at, c.host_id, c.attempt_id, t.scenario_id,
            e.entry_key, e.label, e.options, e.content_hash, s.definition,
            s.definition->'load'->>'kind' = 'rate' AS fixed, s.definition->>'judged_by' IS NOT DISTINCT FROM 'cpu_us_per_request' AS by_cpu,
            (t.result->>'requests_per_s')::float8 AS rate, (t.result->>'requests')::float8 AS n,
            (t.resources->>'server_cpu_us')::float8 AS cpu_us, (t.result->'failures'->>'total')::float8 AS failed,
            (t.result->'offered'->>'requests')::float8 AS meant, (t.result->'offered'->>'dropped')::float8 AS dropped,
            (SELECT (p->>'us')::float8 FROM jsonb_array_elements(t.result->'latency'->'percentiles') p
              WHERE (p->>'p')::float8 = 99 LIMIT 1) AS p99_us
          FROM recent c
          JOIN entry e ON e.workspace_id = c.workspace_id AND e.attempt_id = c.attempt_id AND e.server = ${server}
          JOIN trial t ON t.workspace_id = e.workspace_id AND t.attempt_id = e.attempt_id AND t.entry_key = e.entry_key
          JOIN run_scenario s ON s.workspace_id = t.workspace_id AND s.attempt_id = t.attempt_id AND s.scenario_id = t.scenario_id
          WHERE t.state = 'valid' AND NOT EXISTS (
            SELECT 1 FROM verify v WHERE v.workspace_id = e.workspace_id AND v.attempt_id = e.attempt_id
              AND v.entry_key = e.entry_key AND v.status = 'failed'
              AND (v.trial_id IS NULL OR EXISTS (SELECT 1 FROM trial f WHERE f.workspace_id = v.workspace_id
                AND f.attempt_id = v.attempt_id AND f.trial_id = v.trial_id AND f.scenario_id = t.scenario_id)))
        ), medians AS (
          SELECT run_id, run_title, finished_at, host_id, attempt_id, scenario_id, entry_key, label, options, content_hash, definition,
            CASE WHEN by_cpu THEN percentile_cont(0.5) WITHIN GROUP (ORDER BY cpu_us / nullif(n, 0))
              WHEN fixed THEN percentile_disc(0.5) WITHIN GROUP (ORDER BY p99_us) FILTER (WHERE n >= 1000)
              ELSE -percentile_cont(0.5) WITHIN GROUP (ORDER BY rate) END AS less_is_better
          FROM figures
          GROUP BY run_id, run_title, finished_at, host_id, attempt_id, scenario_id, entry_key, label, options, content_hash, definition, fixed, by_cpu
          HAVING NOT fixed OR coalesce(bool_and(CASE WHEN by_cpu THEN meant - (n - failed) <= 0.01 * meant
            ELSE dropped + greatest(meant - dropped - n, failed, 0) <= 0.001 * meant END), false)
        ), placed AS (
          SELECT *, row_number() OVER (PARTITION BY scenario_id, host_id ORDER BY less_is_better, finished_at DESC) AS place
          FROM medians WHERE less_is_better IS NOT NULL
        )
        SELECT p.*, h.name AS host_name FROM placed p
        JOIN host h ON h.workspace_id = ${workspaceId} AND h.host_id = p.host_id
        WHERE p.place <= ${TRIES}
        ORDER BY p.scenario_id, p.host_id, p.place`,
  );
