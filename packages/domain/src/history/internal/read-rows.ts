import { all, sql } from "@rigmark/db";
import type { Scenario, Source } from "@rigmark/protocol";
import type { ScenarioSummary } from "@rigmark/results";
import type { Ctx } from "../../context";
import type { ResultBrief } from "../../internal/run/store-results";

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
  /** Null where it is the one that was asked to be left out. */
  definition: Scenario | null;
  server: string;
  /** Other builds and other options have another one. */
  entry_key: string;
  metric: ScenarioSummary["metric"];
  figure: number | null;
  /** Null in results that an older version stored while a newer one was being started. */
  brief: ResultBrief | null;
  relative: number | null;
  relative_brief: ResultBrief | null;
  /** Null where the run lacks that entry. */
  relative_key: string | null;
  /** The run's own ratio to what the values are relative to, which `brief.ratio` is the interval of; null where it has none. */
  estimate: number | null;
}

/**
 * Newest first. `relativeTo`: the label whose figures are read beside them. `known`: a definition that need not come again;
 * most rows have the same one.
 */
export const readRows = (
  ctx: Ctx,
  workspaceId: string,
  { hostId, scenario, label }: Series,
  relativeTo: string | null,
  limit: number,
  known: Scenario | null = null,
): Promise<Row[]> =>
  all<Row>(
    ctx.db,
    sql`SELECT r.run_id, r.title, r.created_at, r.source, a.environment->>'fingerprint' AS environment,
          nullif(s.definition, ${known && JSON.stringify(known)}::jsonb) AS definition, e.server,
          e.entry_key, x.metric, x.figure, x.brief, y.figure AS relative, y.brief AS relative_brief, o.entry_key AS relative_key,
          CASE WHEN o.baseline THEN coalesce((x.brief->>'estimate')::float8, CASE WHEN x.summary->>'ratio_bound' IS NULL
            THEN (x.summary->'ratio'->>'estimate')::float8 END) END AS estimate
        FROM entry_result x
        JOIN attempt a ON a.workspace_id = x.workspace_id AND a.attempt_id = x.attempt_id
        JOIN run r ON r.workspace_id = a.workspace_id AND r.run_id = a.run_id AND r.attempt_no = a.attempt_no
        JOIN entry e ON e.workspace_id = x.workspace_id AND e.attempt_id = x.attempt_id AND e.entry_key = x.entry_key
        JOIN run_scenario s ON s.workspace_id = x.workspace_id AND s.attempt_id = x.attempt_id
          AND s.scenario_id = x.scenario_id
        LEFT JOIN entry o ON o.workspace_id = a.workspace_id AND o.attempt_id = a.attempt_id AND o.label = ${relativeTo}::text
        LEFT JOIN entry_result y ON y.workspace_id = o.workspace_id AND y.attempt_id = o.attempt_id AND y.entry_key = o.entry_key
          AND y.scenario_id = x.scenario_id
        WHERE x.workspace_id = ${workspaceId} AND x.host_id = ${hostId} AND x.scenario_id = ${scenario} AND x.label = ${label}
          AND r.state = 'succeeded' AND r.published_by IS NULL AND r.deleted_at IS NULL
        ORDER BY x.run_created_at DESC, r.run_id DESC LIMIT ${limit}`,
  );

/** The entries of a run, in its order. */
export const readLabels = (
  ctx: Ctx,
  workspaceId: string,
  runId: string,
): Promise<{ label: string; baseline: boolean }[]> =>
  all<{ label: string; baseline: boolean }>(
    ctx.db,
    sql`SELECT e.label, e.baseline FROM run r
        JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        JOIN entry e ON e.workspace_id = a.workspace_id AND e.attempt_id = a.attempt_id
        WHERE r.workspace_id = ${workspaceId} AND r.run_id = ${runId} ORDER BY e.position`,
  );
