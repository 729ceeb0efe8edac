import { all, sql } from "@rigmark/db";
import type { Scenario } from "@rigmark/protocol";
import type { Ctx } from "../context";
import { isoOrNull } from "../moment";
import type { ServerBest } from "./view";

/** Runs that are looked at, newest first: older ones are of older versions, and a page must not grow with the years. */
const RUNS = 500;

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
  trials: number;
  requests_per_s: number | null;
  lower_bound: boolean;
  p99_us: number | null;
  cpu_us_per_request: number | null;
  rss_peak_bytes: number | null;
}

/**
 * For each scenario and host the run in which the server did best, by the median of its valid trials: the highest
 * rate, and under a fixed rate the lowest p99. A trial is valid only when its server was verified before and after.
 */
export async function bestResults(ctx: Ctx, workspaceId: string, server: string): Promise<ServerBest[]> {
  const rows = await all<Row>(
    ctx.db,
    sql`WITH recent AS (
          SELECT r.workspace_id, r.run_id, r.title, r.finished_at, a.attempt_id, a.host_id
          FROM run r JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
          WHERE r.workspace_id = ${workspaceId} AND r.state = 'succeeded'
            AND EXISTS (SELECT 1 FROM entry e WHERE e.workspace_id = a.workspace_id AND e.attempt_id = a.attempt_id AND e.server = ${server})
          ORDER BY r.created_at DESC LIMIT ${RUNS}
        ), medians AS (
          SELECT c.run_id, c.title AS run_title, c.finished_at, c.host_id, c.attempt_id, t.scenario_id,
            e.label, e.options, e.content_hash, count(*)::int AS trials,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY (t.result->>'requests_per_s')::float8) AS requests_per_s,
            2 * count(*) FILTER (WHERE t."limit" = 'generator-bound') > count(*) AS lower_bound,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY (
              SELECT (p->>'us')::float8 FROM jsonb_array_elements(t.result->'latency'->'percentiles') p
              WHERE (p->>'p')::float8 = 99 LIMIT 1)) AS p99_us,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY
              (t.resources->>'server_cpu_us')::float8 / nullif((t.result->>'requests')::float8, 0)) AS cpu_us_per_request,
            max((t.resources->>'server_rss_peak_bytes')::float8) AS rss_peak_bytes
          FROM recent c
          JOIN entry e ON e.workspace_id = c.workspace_id AND e.attempt_id = c.attempt_id AND e.server = ${server}
          JOIN trial t ON t.workspace_id = e.workspace_id AND t.attempt_id = e.attempt_id AND t.entry_key = e.entry_key
          WHERE t.state = 'valid'
          GROUP BY c.run_id, c.title, c.finished_at, c.host_id, c.attempt_id, t.scenario_id, e.entry_key, e.label, e.options, e.content_hash
        )
        SELECT DISTINCT ON (m.scenario_id, m.host_id) s.definition, h.name AS host_name, m.*
        FROM medians m
        JOIN run_scenario s ON s.workspace_id = ${workspaceId} AND s.attempt_id = m.attempt_id AND s.scenario_id = m.scenario_id
        JOIN host h ON h.workspace_id = ${workspaceId} AND h.host_id = m.host_id
        ORDER BY m.scenario_id, m.host_id,
          CASE WHEN s.definition->'load'->>'kind' = 'rate' THEN m.p99_us END NULLS LAST,
          m.requests_per_s DESC NULLS LAST, m.finished_at DESC`,
  );
  return rows.map(({ definition, host_id, host_name, finished_at, ...row }) => ({
    scenario: definition.id,
    title: definition.title,
    workload: definition.workload,
    tool: definition.tool,
    load: definition.load,
    host: { host_id, name: host_name },
    run_id: row.run_id,
    run_title: row.run_title,
    finished_at: isoOrNull(finished_at),
    label: row.label,
    options: row.options,
    content_hash: row.content_hash,
    trials: row.trials,
    requests_per_s: row.requests_per_s,
    lower_bound: row.lower_bound,
    p99_us: row.p99_us,
    cpu_us_per_request: row.cpu_us_per_request,
    rss_peak_bytes: row.rss_peak_bytes,
  }));
}
