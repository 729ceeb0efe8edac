import { all, sql } from "@rigmark/db";
import type { Scenario, Source } from "@rigmark/protocol";
import type { EntrySummary, HistoryPoint, HistoryView, ScenarioSummary } from "@rigmark/results";
import { rankingOf } from "@rigmark/results/ranking";
import { changes } from "@rigmark/stats";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { findHost } from "../internal/host/summary";
import { iso } from "../internal/moment";
import { loadKey } from "../internal/run/load-key";

/** Points of one history, newest first. */
const MOST_POINTS = 2_000;

interface Row {
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

/**
 * An entry under a scenario on a host, run by run, and since when it is another figure. `relativeTo` names the entry that
 * the values are ratios to: by default the baseline of the newest run, null for the figures themselves.
 */
export async function getHistory({
  ctx,
  input,
}: Call<{
  workspace: string;
  hostId: string;
  scenario: string;
  label: string;
  relativeTo?: string | null | undefined;
}>): Promise<HistoryView> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const host = await findHost(ctx, workspaceId, input.hostId);
  const [newest] = await readRows(ctx, workspaceId, input, null, 1);
  if (!newest)
    throw new DomainError(
      "not_found",
      `No run on this host has measured “${input.label}” under this scenario; choose another series.`,
    );
  const others = newest.labels.map(({ label }) => label).filter((label) => label !== input.label);
  const baseline = newest.labels.find((l) => l.baseline && l.label !== input.label)?.label ?? null;
  const relativeTo = input.relativeTo === undefined ? baseline : input.relativeTo;
  const found = await readRows(ctx, workspaceId, input, relativeTo, MOST_POINTS);
  const load = loadKey(newest.definition, newest.metric);
  const rows = found.filter((row) => loadKey(row.definition, row.metric) === load).reverse();
  const { boundOf } = rankingOf(newest.metric);
  const result = changes({
    schema: 1,
    metric: newest.metric,
    relative_to: relativeTo,
    points: rows.map((row) => ({
      // A bound is no figure.
      figure: boundOf(row.limits) === null ? row.figure : null,
      relative: boundOf(row.relative_limits) === null ? row.relative : null,
      environment: row.environment,
    })),
  });
  const { definition, server, metric, created_at } = newest;
  return {
    series: {
      host: { host_id: host.host_id, name: host.name },
      ...{ scenario: definition.id, title: definition.title, label: input.label, server },
      ...{ runs: rows.length, newest_at: iso(created_at) },
    },
    ...{ tool: definition.tool, workload: definition.workload, load: definition.load, metric },
    relative_to: relativeTo,
    others,
    points: rows.map((row, place) => pointOf(row, rows[place - 1], result.values[place] ?? null, relativeTo)),
    changes: result.changes.map(({ at, found_at, before, after, ratio, verdict, sentence }) => ({
      ...{ at, found_at, before, after, ratio, verdict, sentence },
    })),
    sentence: result.sentence,
    other_load: found.length - rows.length,
  };
}

function pointOf(
  row: Row,
  before: Row | undefined,
  value: number | null,
  relativeTo: string | null,
): HistoryPoint {
  const toBaseline = row.labels.some((l) => l.baseline && l.label === relativeTo);
  const range = row.range && { low: row.range.min, high: row.range.max };
  const between = relativeTo === null ? range : toBaseline ? row.ratio : null;
  const known = value === null ? null : between;
  return {
    run_id: row.run_id,
    title: row.title,
    created_at: iso(row.created_at),
    source: row.source,
    build_changed: before !== undefined && before.content_hash !== row.content_hash,
    environment_changed:
      before !== undefined && (row.environment === null || before.environment !== row.environment),
    value,
    low: known?.low ?? null,
    high: known?.high ?? null,
  };
}

const readRows = (
  ctx: Ctx,
  workspaceId: string,
  { hostId, scenario, label }: { hostId: string; scenario: string; label: string },
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
