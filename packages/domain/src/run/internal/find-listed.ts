import { all, sql } from "@rigmark/db";
import type { RunSpec, RunState, Source } from "@rigmark/protocol";
import type { RunListFilter, RunSketch } from "@rigmark/results";
import { repositoryName } from "@rigmark/results/source";
import type { Ctx } from "../../context";
import { storable } from "../../internal/text";
import { wordsOf } from "../../internal/words";

export interface ListedRow {
  run_id: string;
  title: string;
  tags: string[];
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

interface ListQuery {
  filter: RunListFilter;
  /** The last run of the page before; nulls on the first one. */
  place: [string, string] | [null, null];
  limit: number;
}

const chosen = (values: readonly string[] | undefined): string[] | null =>
  values && values.length > 0 ? values.map(storable) : null;

/**
 * Runs that match every filter, newest first. They are chosen along the index of their order; pictures are made of those on
 * the page only. Words are looked for as they stand: what LIKE would take for a wildcard is none here.
 */
export function findListed(
  ctx: Ctx,
  workspaceId: string,
  { filter, place, limit }: ListQuery,
): Promise<ListedRow[]> {
  const [at, id] = place;
  const words = wordsOf(filter.q);
  const [hosts, states, verdicts] = [chosen(filter.host), chosen(filter.status), chosen(filter.verdict)];
  const [branches, people, tags] = [chosen(filter.branch), chosen(filter.person), chosen(filter.tag)];
  const [scenarios, servers] = [chosen(filter.scenario), chosen(filter.server)];
  const repository = filter.repository === undefined ? null : storable(repositoryName(filter.repository));
  const { commit = null, pullRequest: pull = null } = filter;
  return all<ListedRow>(
    ctx.db,
    sql`WITH page AS MATERIALIZED (
          SELECT r.workspace_id, r.run_id, h.host_id, h.name AS host_name, u.name AS requested_by
          FROM run r JOIN run_host x USING (workspace_id, run_id) JOIN host h USING (workspace_id, host_id)
          LEFT JOIN "user" u ON u.id = r.requested_by
          WHERE r.workspace_id = ${workspaceId} AND r.deleted_at IS NULL
            AND (${at}::timestamptz IS NULL OR (r.created_at, r.run_id) < (${at}::timestamptz, ${id}::uuid))
            AND (${hosts}::uuid[] IS NULL OR h.host_id = ANY(${hosts}::uuid[]))
            AND (${states}::text[] IS NULL OR r.state = ANY(${states}::text[]))
            AND (${branches}::text[] IS NULL OR r.source_branch = ANY(${branches}::text[]))
            AND (${people}::text[] IS NULL OR r.requested_by = ANY(${people}::text[]))
            AND (${tags}::text[] IS NULL OR r.tags && ${tags}::text[])
            AND (${scenarios}::text[] IS NULL OR r.scenarios && ${scenarios}::text[])
            AND (${servers}::text[] IS NULL OR r.servers && ${servers}::text[])
            AND (${repository}::text IS NULL OR (r.source IS NOT NULL AND r.source_repository = ${repository}::text))
            AND (${commit}::text IS NULL OR (r.source IS NOT NULL AND starts_with(r.source_commit, ${commit}::text)))
            AND (${pull}::int IS NULL OR r.source_pull_request = ${pull}::int)
            AND (${verdicts}::text[] IS NULL OR EXISTS (
              SELECT 1 FROM attempt a
              JOIN entry_result f ON f.workspace_id = a.workspace_id AND f.attempt_id = a.attempt_id
              WHERE a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
                AND f.summary->>'verdict' = ANY(${verdicts}::text[])))
            AND (${words}::text[] IS NULL OR (
              SELECT bool_and(strpos(t.text, lower(w.word)) > 0)
              FROM (
                SELECT lower(concat_ws(' ', r.title, r.note, array_to_string(r.tags, ' '), array_to_string(r.servers, ' '),
                  array_to_string(r.scenarios, ' '), array_to_string(r.scenario_titles, ' '), r.source_branch, r.source_commit,
                  r.published_by, h.name, u.name)) AS text
                OFFSET 0
              ) t, unnest(${words}::text[]) AS w(word)))
          ORDER BY r.created_at DESC, r.run_id DESC LIMIT ${limit}
        )
        SELECT r.run_id, r.title, r.tags, r.state, r.unreachable, p.host_id, p.host_name, p.requested_by, r.published_by,
          r.created_at, r.started_at, r.finished_at, r.spec, r.trials_total, r.trials_done, r.trials_valid, r.trials_invalid,
          r.headline, r.source, k.sketch
        FROM page p JOIN run r USING (workspace_id, run_id)
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
        ORDER BY r.created_at DESC, r.run_id DESC`,
  );
}
