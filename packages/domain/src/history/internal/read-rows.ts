import { all, sql } from "@rigmark/db";
import type { Scenario, Source } from "@rigmark/protocol";
import type { EntrySummary, ScenarioSummary } from "@rigmark/results";
import type { Ctx } from "../../context";

/** An entry under a scenario on a host. */
export interface Series {
  hostId: string;
  scenario: string;
  label: string;
}

/** A run that measured the series. */
export interface Row {
  run_id: string;
  title: string;
  created_at: Date;
  source: Source | null;
  environment: string | null;
  definition: Scenario;
  server: string;
  content_hash: string;
  metric: ScenarioSummary["metric"];
  figure: number | null;
  limits: Limits;
  /** Over the trials; null for latencies, whose range is not stored. */
  range: { min: number; max: number } | null;
  /** To the run's own baseline. */
  ratio: { low: number; high: number } | null;
  labels: { label: string; baseline: boolean }[];
  relative: number | null;
  relative_limits: Limits;
}
/** What the load tool's being the limit makes of the figures. */
type Limits = Pick<EntrySummary, "lower_bound" | "latency_bound">;

/** Newest first. `relativeTo`: the label whose figures are read beside them. */
export const readRows = (
  ctx: Ctx,
  workspaceId: string,
  { hostId, scenario, label }: Series,
  relativeTo: string | null,
  limit: number,
): Promise<Row[]> =>
  all<Row>(
    ctx.db,
    sql`SELECT r.run_id, r.title, r.created_at, r.source, a.environment->>'fingerprint' AS environment, s.definition, e.server,
          e.content_hash, x.metric, x.figure, json_build_object('lower_bound', coalesce((x.summary->>'lower_bound')::boolean, false),
            'latency_bound', x.summary->'latency_bound') AS limits,
          CASE WHEN x.metric <> 'p99_us' THEN x.summary->x.metric END AS range, x.summary->'ratio' AS ratio,
          (SELECT json_agg(json_build_object('label', o.label, 'baseline', o.baseline) ORDER BY o.position) FROM entry o
           WHERE o.workspace_id = a.workspace_id AND o.attempt_id = a.attempt_id) AS labels,
          y.figure AS relative, json_build_object('lower_bound', coalesce((y.summary->>'lower_bound')::boolean, false),
            'latency_bound', y.summary->'latency_bound') AS relative_limits
        FROM run r
        JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        JOIN entry e ON e.workspace_id = a.workspace_id AND e.attempt_id = a.attempt_id AND e.label = ${label}
        JOIN entry_result x ON x.workspace_id = e.workspace_id AND x.attempt_id = e.attempt_id AND x.entry_key = e.entry_key
          AND x.scenario_id = ${scenario}
        JOIN run_scenario s ON s.workspace_id = x.workspace_id AND s.attempt_id = x.attempt_id
          AND s.scenario_id = x.scenario_id
        LEFT JOIN entry o ON o.workspace_id = a.workspace_id AND o.attempt_id = a.attempt_id AND o.label = ${relativeTo}::text
        LEFT JOIN entry_result y ON y.workspace_id = o.workspace_id AND y.attempt_id = o.attempt_id AND y.entry_key = o.entry_key
          AND y.scenario_id = x.scenario_id
        WHERE r.workspace_id = ${workspaceId} AND a.host_id = ${hostId} AND r.state = 'succeeded' AND r.published_by IS NULL
          AND r.deleted_at IS NULL
        ORDER BY r.created_at DESC, r.run_id DESC LIMIT ${limit}`,
  );
