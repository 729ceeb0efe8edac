import { all, sql } from "@rigmark/db";
import type { HistoryList } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { iso } from "../internal/moment";
import { wordsOf } from "../internal/words";
import { decodePlace, encodePlace } from "./internal/place";

/** Series on a page, those of the newest runs first. */
const PAGE = 100;
/** Runs that are looked at, newest first. */
const RUNS = 2_000;

interface Row {
  host_id: string;
  host_name: string;
  scenario_id: string;
  title: string;
  label: string;
  server: string;
  runs: number;
  newest_at: Date;
}

/**
 * What can be followed: each entry under each scenario on each host, if at least two runs measured it. Words are looked for
 * as they stand: what LIKE would take for a wildcard is none here.
 */
export async function listHistory({
  ctx,
  input,
}: Call<{
  workspace: string;
  q?: string | undefined;
  cursor?: string | null | undefined;
}>): Promise<HistoryList> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const [at, afterHost, afterScenario, afterLabel] = decodePlace(input.cursor);
  const words = wordsOf(input.q);
  const rows = await all<Row>(
    ctx.db,
    sql`WITH recent AS (
          SELECT r.run_id, r.created_at, a.attempt_id, a.host_id
          FROM run r JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
          WHERE r.workspace_id = ${workspaceId} AND r.state = 'succeeded' AND r.published_by IS NULL AND r.deleted_at IS NULL
          ORDER BY r.created_at DESC LIMIT ${RUNS}
        ), series AS (
          SELECT c.host_id, x.scenario_id, e.label, max(e.server) AS server, count(DISTINCT c.run_id)::int AS runs,
            max(c.created_at) AS newest_at, max(s.definition->>'title') AS title
          FROM recent c
          JOIN entry_result x ON x.workspace_id = ${workspaceId} AND x.attempt_id = c.attempt_id
          JOIN entry e ON e.workspace_id = x.workspace_id AND e.attempt_id = x.attempt_id AND e.entry_key = x.entry_key
          JOIN run_scenario s ON s.workspace_id = x.workspace_id AND s.attempt_id = x.attempt_id
            AND s.scenario_id = x.scenario_id
          GROUP BY c.host_id, x.scenario_id, e.label
          HAVING count(DISTINCT c.run_id) > 1
        )
        SELECT h.host_id, h.name AS host_name, t.scenario_id, t.title, t.label, t.server, t.runs, t.newest_at
        FROM series t JOIN host h ON h.workspace_id = ${workspaceId} AND h.host_id = t.host_id
        WHERE (${at}::timestamptz IS NULL OR t.newest_at < ${at}::timestamptz
            OR (t.newest_at = ${at}::timestamptz AND (t.host_id, t.scenario_id, t.label)
              > (${afterHost}::uuid, ${afterScenario}::text, ${afterLabel}::text)))
          AND (${words}::text[] IS NULL OR (
            SELECT bool_and(strpos(lower(concat_ws(' ', h.name, t.label, t.server, t.scenario_id, t.title)), lower(w.word)) > 0)
            FROM unnest(${words}::text[]) AS w(word)))
        ORDER BY t.newest_at DESC, t.host_id, t.scenario_id, t.label LIMIT ${PAGE + 1}`,
  );
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return {
    series: page.map(({ host_id, host_name, scenario_id, title, label, server, runs, newest_at }) => ({
      host: { host_id, name: host_name },
      scenario: scenario_id,
      ...{ title, label, server, runs, newest_at: iso(newest_at) },
    })),
    next_cursor:
      rows.length > page.length && last
        ? encodePlace(last.newest_at, last.host_id, last.scenario_id, last.label)
        : null,
  };
}
