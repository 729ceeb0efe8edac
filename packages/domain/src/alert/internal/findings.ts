import { all, sql } from "@rigmark/db";
import type { AlertFinding, HistoryPoint } from "@rigmark/results";
import type { Ctx } from "../../context";
import { getHistory } from "../../history/get";
import { inWords } from "../../internal/moment";
import { lineOf } from "./message";

const NAME_CHARS = 80;

/** The run that ended. */
export interface Ended {
  workspaceId: string;
  slug: string;
  runId: string;
  hostId: string;
}
export interface Found {
  finding: AlertFinding;
  /** Of a change point: what tells it from all others. */
  change: string | null;
}

interface Row {
  scenario_id: string;
  title: string | null;
  label: string;
  baseline: string;
  verdict: string | null;
  sentence: string | null;
  ratio: number | null;
  /** The verdict of the run before, of the same entries and the same source; null where there is none. */
  before: string | null;
}

/** What the run shows first: verdicts that were not slower in the run before, and change points that it made known. */
export async function findingsOf(ctx: Ctx, run: Ended): Promise<Found[]> {
  const rows = await readRows(ctx, run);
  const found: Found[] = rows
    .filter((row) => row.verdict === "slower" && row.before !== "slower")
    .map((row) => ({ finding: slower(ctx, run, row), change: null }));
  for (const row of rows) found.push(...(await changesOf(ctx, run, row)));
  return found;
}

const runUrl = (ctx: Ctx, { slug }: Ended, runId: string): string =>
  `${ctx.config.publicUrl}/w/${slug}/runs/${runId}`;

const slower = (ctx: Ctx, run: Ended, row: Row): AlertFinding => ({
  kind: "slower",
  verdict: "slower",
  ...{ scenario: row.scenario_id, scenario_title: row.title ?? row.scenario_id, entry: row.label },
  relative_to: row.baseline,
  ratio: row.ratio,
  sentence: row.sentence || `${row.label} is slower than ${row.baseline}.`,
  url: runUrl(ctx, run, run.runId),
  first_run: null,
});

async function changesOf(ctx: Ctx, run: Ended, row: Row): Promise<Found[]> {
  const { slug, hostId } = run;
  const { scenario_id: scenario, label } = row;
  const view = await getHistory({ ctx, input: { workspace: slug, hostId, scenario, label } });
  return view.changes.flatMap(({ at, found_at, verdict, ratio, sentence }) => {
    const first = view.points[at];
    if (!first || view.points[found_at]?.run_id !== run.runId) return [];
    const query = new URLSearchParams({ host: hostId, scenario, entry: label });
    const finding: AlertFinding = {
      kind: "change",
      ...{ verdict, scenario, scenario_title: view.series.title, entry: label },
      ...{ relative_to: view.relative_to, ratio },
      sentence: `The figures of ${lineOf(label, NAME_CHARS)} changed, beginning with ${began(run, first)}. ${sentence}`,
      url: `${ctx.config.publicUrl}/w/${slug}/history?${query.toString()}`,
      first_run: { id: first.run_id, url: runUrl(ctx, run, first.run_id) },
    };
    return [{ finding, change: JSON.stringify([hostId, scenario, label, view.relative_to, first.run_id]) }];
  });
}

/** With its time: the runs of a schedule have one title. */
function began(run: Ended, { run_id, title, created_at }: HistoryPoint): string {
  const which = run_id === run.runId ? "the run" : "the earlier run";
  const name = lineOf(title, NAME_CHARS) || run_id.slice(0, 8);
  return `${which} “${name}” of ${inWords(new Date(created_at))}`;
}

const readRows = (ctx: Ctx, { workspaceId, runId }: Ended): Promise<Row[]> =>
  all<Row>(
    ctx.db,
    sql`SELECT x.scenario_id, s.definition->>'title' AS title, e.label, b.label AS baseline, x.summary->>'verdict' AS verdict,
          x.summary->>'sentence' AS sentence, (x.summary->'ratio'->>'estimate')::float8 AS ratio,
          CASE WHEN x.summary->>'verdict' = 'slower' THEN (
            SELECT y.summary->>'verdict' FROM run p
            JOIN attempt c ON c.workspace_id = p.workspace_id AND c.run_id = p.run_id AND c.attempt_no = p.attempt_no
            JOIN baseline d ON d.workspace_id = p.workspace_id AND d.run_id = p.run_id AND d.label = b.label
            JOIN entry f ON f.workspace_id = c.workspace_id AND f.attempt_id = c.attempt_id AND f.label = e.label
            JOIN entry_result y ON y.workspace_id = f.workspace_id AND y.attempt_id = f.attempt_id
              AND y.entry_key = f.entry_key AND y.scenario_id = x.scenario_id
            WHERE p.workspace_id = r.workspace_id AND c.host_id = a.host_id AND p.state = 'succeeded'
              AND p.published_by IS NULL AND p.deleted_at IS NULL AND (p.created_at, p.run_id) < (r.created_at, r.run_id)
              AND p.source_repository IS NOT DISTINCT FROM r.source_repository
              AND p.source_branch IS NOT DISTINCT FROM r.source_branch
              AND p.source_pull_request IS NOT DISTINCT FROM r.source_pull_request
              AND y.summary->>'verdict' IN ('faster', 'slower', 'no-difference')
            ORDER BY p.created_at DESC, p.run_id DESC LIMIT 1) END AS before
        FROM run r
        JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        JOIN baseline b ON b.workspace_id = r.workspace_id AND b.run_id = r.run_id
        JOIN entry_result x ON x.workspace_id = a.workspace_id AND x.attempt_id = a.attempt_id
        JOIN entry e ON e.workspace_id = x.workspace_id AND e.attempt_id = x.attempt_id AND e.entry_key = x.entry_key
        JOIN run_scenario s ON s.workspace_id = x.workspace_id AND s.attempt_id = x.attempt_id
          AND s.scenario_id = x.scenario_id
        WHERE r.workspace_id = ${workspaceId} AND r.run_id = ${runId} AND r.state = 'succeeded'
          AND r.published_by IS NULL AND r.deleted_at IS NULL
        ORDER BY s.position, e.position`,
  );
