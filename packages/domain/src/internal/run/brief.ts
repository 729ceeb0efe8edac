import { all, type Query, sql } from "@rigmark/db";
import type { RunSpec, RunState, Source } from "@rigmark/protocol";
import { publicVerdict, type RunBrief, type RunVerdict } from "@rigmark/results/public";
import type { Ctx } from "../../context";
import { iso, isoOrNull } from "../moment";

interface Row {
  run_id: string;
  slug: string;
  title: string;
  state: RunState;
  spec: RunSpec;
  source: Source | null;
  published_by: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  error_message: string | null;
  headline: string | null;
  host_id: string;
  host_name: string;
  attempt_id: string | null;
  /** The attempt ended and its results are not written yet. */
  settling: boolean | null;
}

export interface Brief {
  row: Row;
  brief: RunBrief;
}

/** Runs of one workspace as the public API shows them, newest first. */
export async function readBriefs(
  ctx: Ctx,
  workspaceId: string,
  filter: Query,
  limit: number,
): Promise<Brief[]> {
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT r.run_id, s.slug, r.title, r.state, r.spec, r.source, r.published_by, r.created_at, r.started_at, r.finished_at,
          r.error_message, r.headline, h.host_id, h.name AS host_name, a.attempt_id,
          a.finished_at IS NOT NULL AND a.results_at IS NULL AS settling
        FROM run r JOIN workspace_slug s USING (workspace_id) JOIN run_host x USING (workspace_id, run_id)
        JOIN host h USING (workspace_id, host_id)
        LEFT JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        WHERE r.workspace_id = ${workspaceId} AND r.deleted_at IS NULL AND ${filter}
        ORDER BY r.created_at DESC, r.run_id DESC LIMIT ${limit}`,
  );
  const attempts = rows.flatMap((row) => (row.headline !== null && row.attempt_id ? [row.attempt_id] : []));
  const verdicts = await readVerdicts(ctx, workspaceId, attempts);
  return rows.map((row) => {
    const scenarios = verdicts.get(row.attempt_id ?? "") ?? [];
    return {
      row,
      brief: briefOf(ctx, row, row.headline === null ? null : { sentence: row.headline, scenarios }),
    };
  });
}

const briefOf = (ctx: Ctx, row: Row, verdict: RunVerdict | null): RunBrief => ({
  id: row.run_id,
  workspace: row.slug,
  title: row.title,
  state: row.state,
  host: { id: row.host_id, name: row.host_name },
  queued_at: iso(row.created_at),
  started_at: isoOrNull(row.started_at),
  ended_at: isoOrNull(row.finished_at),
  url: `${ctx.config.publicUrl}/w/${row.slug}/runs/${row.run_id}`,
  spec: row.spec,
  source: row.source,
  published_by: row.published_by,
  failure: row.error_message,
  verdict,
});

interface Line {
  attempt_id: string;
  scenario_id: string;
  title: string | null;
  label: string;
  verdict: "faster" | "slower" | "no-difference" | "not-comparable" | null;
  ratio: { estimate: number; low: number; high: number } | null;
}

/** What was stored of each entry when its run ended, by attempt. */
async function readVerdicts(
  ctx: Ctx,
  workspaceId: string,
  attemptIds: string[],
): Promise<Map<string, RunVerdict["scenarios"]>> {
  const verdicts = new Map<string, RunVerdict["scenarios"]>();
  if (attemptIds.length === 0) return verdicts;
  const lines = await all<Line>(
    ctx.db,
    sql`SELECT r.attempt_id, r.scenario_id, c.definition->>'title' AS title, e.label, r.summary->>'verdict' AS verdict,
          nullif(r.summary->'ratio', 'null'::jsonb) AS ratio
        FROM entry_result r JOIN entry e USING (workspace_id, attempt_id, entry_key)
        JOIN run_scenario c USING (workspace_id, attempt_id, scenario_id)
        WHERE r.workspace_id = ${workspaceId} AND r.attempt_id = ANY(${attemptIds}::uuid[])
        ORDER BY c.position, e.position`,
  );
  for (const { attempt_id, scenario_id, title, label, verdict, ratio } of lines) {
    const scenarios = verdicts.get(attempt_id) ?? [];
    verdicts.set(attempt_id, scenarios);
    let scenario = scenarios.find((s) => s.scenario === scenario_id);
    if (!scenario) {
      scenario = { scenario: scenario_id, title: title ?? scenario_id, entries: [] };
      scenarios.push(scenario);
    }
    scenario.entries.push({
      label,
      verdict: publicVerdict(verdict),
      ratio: ratio?.estimate ?? null,
      low: ratio?.low ?? null,
      high: ratio?.high ?? null,
    });
  }
  return verdicts;
}
