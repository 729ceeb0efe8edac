import { all, sql } from "@rigmark/db";
import type { RunFilterValues } from "@rigmark/results";
import { VALUE_FILTERS, type ValueFilter } from "@rigmark/results/run-list";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { storable } from "../internal/text";

/** Runs that are looked through, newest first: the page must not grow with the years. */
const RUNS = 500;
/** Values of a filter that a menu offers. */
const MOST = 20;

interface Row {
  name: ValueFilter;
  value: string;
  label: string;
}

/** What the newest runs can be filtered by. Chosen hosts and people are always there, so that pages can call them by name. */
export async function listRunFilters({
  ctx,
  input,
}: Call<{
  workspace: string;
  host?: readonly string[] | undefined;
  person?: readonly string[] | undefined;
}>): Promise<RunFilterValues> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const hosts = input.host ?? [];
  const people = (input.person ?? []).map(storable);
  const rows = await all<Row>(
    ctx.db,
    sql`WITH recent AS MATERIALIZED (
          SELECT r.workspace_id, r.run_id, r.attempt_no, r.state, r.requested_by, r.source_branch, r.tags, r.servers, r.scenarios
          FROM run r WHERE r.workspace_id = ${workspaceId} AND r.deleted_at IS NULL
          ORDER BY r.created_at DESC, r.run_id DESC LIMIT ${RUNS}
        ), found (name, value, label, runs) AS (
          SELECT 'host', h.host_id::text, h.name, 1
          FROM recent JOIN run_host x USING (workspace_id, run_id) JOIN host h USING (workspace_id, host_id)
          UNION ALL SELECT 'host', host_id::text, name, 0 FROM host
            WHERE workspace_id = ${workspaceId} AND host_id = ANY(${hosts}::uuid[])
          UNION ALL SELECT 'status', state, state, 1 FROM recent
          UNION ALL SELECT 'verdict', f.summary->>'verdict', f.summary->>'verdict', 1
            FROM recent JOIN attempt a USING (workspace_id, run_id, attempt_no)
            JOIN entry_result f ON f.workspace_id = a.workspace_id AND f.attempt_id = a.attempt_id
            WHERE f.summary->>'verdict' IS NOT NULL
          UNION ALL SELECT 'branch', source_branch, source_branch, 1 FROM recent WHERE source_branch IS NOT NULL
          UNION ALL SELECT 'person', u.id, u.name, 1 FROM recent JOIN "user" u ON u.id = recent.requested_by
          UNION ALL SELECT 'person', u.id, u.name, 0 FROM "user" u WHERE u.id = ANY(${people}::text[])
            AND EXISTS (SELECT 1 FROM run r WHERE r.workspace_id = ${workspaceId} AND r.requested_by = u.id)
          UNION ALL SELECT 'tag', t, t, 1 FROM recent, unnest(tags) t
          UNION ALL SELECT 'scenario', s, s, 1 FROM recent, unnest(scenarios) s
          UNION ALL SELECT 'server', s, s, 1 FROM recent, unnest(servers) s
        ), ranked AS (
          SELECT name, value, label, row_number() OVER (PARTITION BY name ORDER BY sum(runs) DESC, value) AS place
          FROM found GROUP BY name, value, label
        )
        SELECT name, value, label FROM ranked
        WHERE place <= ${MOST} OR value = ANY(${[...hosts, ...people]}::text[])
        ORDER BY name, place`,
  );
  return {
    filters: VALUE_FILTERS.flatMap((name) => {
      const values = rows.flatMap((row) =>
        row.name === name ? [{ value: row.value, label: row.label }] : [],
      );
      return values.length > 0 ? [{ name, values }] : [];
    }),
  };
}
