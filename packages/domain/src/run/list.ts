import { all, sql } from "@rigmark/db";
import type { RunSpec, RunState, Source } from "@rigmark/protocol";
import type { RunPage, RunSketch } from "@rigmark/results";
import { repositoryName } from "@rigmark/results/source";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { decodeCursor, encodeCursor } from "../internal/cursor";
import { iso, isoOrNull } from "../internal/moment";

interface Row {
  run_id: string;
  title: string;
  state: RunState;
  unreachable: boolean;
  host_id: string;
  host_name: string;
  requested_by: string | null;
  published_by: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  spec: RunSpec;
  trials_total: number | null;
  trials_done: number;
  trials_valid: number;
  trials_invalid: number;
  headline: string | null;
  source: Source | null;
  sketch: RunSketch | null;
}

/** By which commit runs are found. */
interface OfSource {
  repository?: string | undefined;
  branch?: string | undefined;
  commit?: string | undefined;
  pullRequest?: number | undefined;
}

/** Newest first. */
export async function listRuns({
  ctx,
  input,
}: Call<{
  workspace: string;
  cursor?: string | null | undefined;
  limit: number;
  hostId?: string | undefined;
  of?: OfSource | undefined;
}>): Promise<RunPage> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, { scope: "read" });
  const [at, id] = decodeCursor(input.cursor);
  const { repository, branch = null, commit = null, pullRequest = null } = input.of ?? {};
  const name = repository === undefined ? null : repositoryName(repository);
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT r.run_id, r.title, r.state, r.unreachable, h.host_id, h.name AS host_name, u.name AS requested_by,
          r.published_by,
          r.created_at, r.started_at, r.finished_at, r.spec, r.trials_total, r.trials_done, r.trials_valid,
          r.trials_invalid, r.headline, r.source, k.sketch
        FROM run r JOIN run_host x USING (workspace_id, run_id) JOIN host h USING (workspace_id, host_id)
        LEFT JOIN "user" u ON u.id = r.requested_by
        LEFT JOIN LATERAL (
          SELECT jsonb_build_object('scenario', f.scenario_id, 'metric', f.metric, 'entries',
            jsonb_agg(jsonb_build_object('label', e.label, 'baseline', e.baseline, 'verdict', f.summary->'verdict',
              'ratio', f.summary->'ratio') ORDER BY e.position)) AS sketch
          FROM attempt a
          JOIN run_scenario s ON s.workspace_id = a.workspace_id AND s.attempt_id = a.attempt_id
          JOIN entry_result f ON f.workspace_id = s.workspace_id AND f.attempt_id = s.attempt_id AND f.scenario_id = s.scenario_id
          JOIN entry e ON e.workspace_id = f.workspace_id AND e.attempt_id = f.attempt_id AND e.entry_key = f.entry_key
          WHERE a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
            AND f.metric <> 'first_byte_p50_us'
          GROUP BY s.position, f.scenario_id, f.metric ORDER BY s.position LIMIT 1
        ) k ON true
        WHERE r.workspace_id = ${workspaceId}
          AND (${at}::timestamptz IS NULL OR (r.created_at, r.run_id) < (${at}::timestamptz, ${id}::uuid))
          AND (${input.hostId ?? null}::uuid IS NULL OR h.host_id = ${input.hostId ?? null}::uuid)
          AND (${name}::text IS NULL OR (r.source IS NOT NULL AND r.source_repository = ${name}::text))
          AND (${branch}::text IS NULL OR r.source_branch = ${branch}::text)
          AND (${commit}::text IS NULL OR (r.source IS NOT NULL AND starts_with(r.source_commit, ${commit}::text)))
          AND (${pullRequest}::int IS NULL OR r.source_pull_request = ${pullRequest}::int)
        ORDER BY r.created_at DESC, r.run_id DESC LIMIT ${input.limit + 1}`,
  );
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    runs: page.map((row) => ({
      run_id: row.run_id,
      title: row.title,
      state: row.state,
      unreachable: row.unreachable,
      host: { host_id: row.host_id, name: row.host_name },
      requested_by: row.requested_by,
      published_by: row.published_by,
      created_at: iso(row.created_at),
      started_at: isoOrNull(row.started_at),
      finished_at: isoOrNull(row.finished_at),
      entries: row.spec.entries.map(({ label, server }) => ({ label, server })),
      scenarios: row.spec.scenarios,
      repeats: row.spec.repeats,
      trials: {
        total: row.trials_total,
        done: row.trials_done,
        valid: row.trials_valid,
        invalid: row.trials_invalid,
      },
      headline: row.headline,
      source: row.source,
      sketch: row.sketch,
    })),
    next_cursor: rows.length > page.length && last ? encodeCursor(last.created_at, last.run_id) : null,
  };
}
