import { all, sql } from "@rigmark/db";
import type { HistoryList } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { iso } from "../internal/moment";

/** Series that one page lists, those of the newest runs first. */
const MOST_SERIES = 500;
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
  /** All series, however many are read. */
  series: number;
}

/** What can be followed: each entry under each scenario on each host, if at least two runs measured it. */
export async function listHistory({ ctx, input }: Call<{ workspace: string }>): Promise<HistoryList> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
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
        SELECT h.host_id, h.name AS host_name, t.scenario_id, t.title, t.label, t.server, t.runs, t.newest_at,
          (count(*) OVER ())::int AS series
        FROM series t JOIN host h ON h.workspace_id = ${workspaceId} AND h.host_id = t.host_id
        ORDER BY t.newest_at DESC, h.name, t.scenario_id, t.label LIMIT ${MOST_SERIES}`,
  );
  return {
    series: rows.map(({ host_id, host_name, scenario_id, title, label, server, runs, newest_at }) => ({
      host: { host_id, name: host_name },
      scenario: scenario_id,
      ...{ title, label, server, runs, newest_at: iso(newest_at) },
    })),
    left_out: (rows[0]?.series ?? 0) - rows.length,
  };
}
