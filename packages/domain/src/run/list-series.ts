import { all, sql } from "@rigmark/db";
import type { Source } from "@rigmark/protocol";
import type { BoundSide, ScenarioSummary } from "@rigmark/results";
import { publicVerdict, type SeriesItem, type SeriesQuery } from "@rigmark/results/public";
import { rankingOf } from "@rigmark/results/ranking";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { decodeCursor, encodeCursor } from "../internal/cursor";
import { isoOrNull } from "../internal/moment";
import { hostNamed } from "../internal/reach";

interface Row {
  run_id: string;
  created_at: Date;
  finished_at: Date | null;
  source: Source | null;
  host_id: string;
  host_name: string;
  metric: ScenarioSummary["metric"];
  figure: number | null;
  verdict: "faster" | "slower" | "no-difference" | "not-comparable" | null;
  ratio: { estimate: number; low: number; high: number } | null;
  lower_bound: boolean;
  latency_bound: BoundSide | null;
  ratio_bound: BoundSide | null;
}

const SIDES = { "≥": "at-least", "≤": "at-most" } as const;

function boundOf(row: Row): BoundSide | null {
  const bound = row.figure === null ? null : rankingOf(row.metric).boundOf(row);
  return bound && SIDES[bound];
}

/** What was found of one label under one scenario, run after run, the newest first. */
export async function listSeries({
  ctx,
  input,
}: Call<{ workspace: string } & SeriesQuery>): Promise<{ items: SeriesItem[]; next_cursor: string | null }> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const [at, id] = decodeCursor(input.cursor);
  const host = input.host === undefined ? null : await hostNamed(ctx, workspaceId, input.host);
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT r.run_id, r.created_at, r.finished_at, r.source, h.host_id, h.name AS host_name, f.metric, f.figure,
          f.summary->>'verdict' AS verdict, nullif(f.summary->'ratio', 'null'::jsonb) AS ratio,
          coalesce((f.summary->>'lower_bound')::boolean, false) AS lower_bound,
          f.summary->>'latency_bound' AS latency_bound, f.summary->>'ratio_bound' AS ratio_bound
        FROM run r JOIN run_host x USING (workspace_id, run_id) JOIN host h USING (workspace_id, host_id)
        JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        JOIN entry_result f ON f.workspace_id = a.workspace_id AND f.attempt_id = a.attempt_id
        JOIN entry e ON e.workspace_id = f.workspace_id AND e.attempt_id = f.attempt_id AND e.entry_key = f.entry_key
        WHERE r.workspace_id = ${workspaceId} AND r.deleted_at IS NULL AND e.label = ${input.label}
          AND f.scenario_id = ${input.scenario}
          AND (${host}::uuid IS NULL OR h.host_id = ${host}::uuid)
          AND (${at}::timestamptz IS NULL OR (r.created_at, r.run_id) < (${at}::timestamptz, ${id}::uuid))
        ORDER BY r.created_at DESC, r.run_id DESC LIMIT ${input.limit + 1}`,
  );
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => ({
      run: row.run_id,
      ended_at: isoOrNull(row.finished_at),
      host: { id: row.host_id, name: row.host_name },
      metric: row.metric,
      figure: row.figure,
      bound: boundOf(row),
      ratio: row.ratio?.estimate ?? null,
      low: row.ratio?.low ?? null,
      high: row.ratio?.high ?? null,
      ratio_bound: row.ratio_bound,
      verdict: publicVerdict(row.verdict),
      source: row.source,
    })),
    next_cursor: rows.length > page.length && last ? encodeCursor(last.created_at, last.run_id) : null,
  };
}
