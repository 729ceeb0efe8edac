import { run, sql, type Tx } from "@rigmark/db";
import type { Plan } from "@rigmark/protocol";
import { storable, storableJson } from "../../../internal/text";
import { setDeadline } from "./deadline";
import type { Target } from "./index";

/**
 * The expanded plan: entries, scenarios, blocks and trials, and the deadline that follows from it. A trial of the reserve is
 * not needed until it begins.
 */
export async function projectPlan(tx: Tx, to: Target, plan: Plan): Promise<void> {
  const { workspaceId, attemptId } = to;
  await run(
    tx,
    sql`INSERT INTO entry (workspace_id, attempt_id, entry_key, position, label, server, title, content_hash, options, baseline,
          revision)
        SELECT ${workspaceId}::uuid, ${attemptId}::uuid, e->>'key', (i - 1)::int, e->>'label', e->>'server', e->>'title',
          e->>'content_hash', e->'options', (e->>'baseline')::bool, e->'revision'
        FROM jsonb_array_elements(${storableJson(plan.entries)}::jsonb) WITH ORDINALITY AS x(e, i)
        ON CONFLICT DO NOTHING`,
  );
  await run(
    tx,
    sql`INSERT INTO run_scenario (workspace_id, attempt_id, scenario_id, position, definition)
        SELECT ${workspaceId}::uuid, ${attemptId}::uuid, s->>'id', (i - 1)::int, s
        FROM jsonb_array_elements(${storableJson(plan.scenarios)}::jsonb) WITH ORDINALITY AS x(s, i)
        ON CONFLICT DO NOTHING`,
  );
  await run(
    tx,
    sql`UPDATE run r SET scenario_titles = ${plan.scenarios.map(({ title }) => storable(title))}
        FROM attempt a
        WHERE a.workspace_id = ${workspaceId} AND a.attempt_id = ${attemptId}
          AND r.workspace_id = a.workspace_id AND r.run_id = a.run_id AND r.attempt_no = a.attempt_no`,
  );
  await run(
    tx,
    sql`WITH planned AS (
          SELECT t, i, i > ${plan.trials.length} AS reserve
          FROM jsonb_array_elements(${JSON.stringify([...plan.trials, ...plan.reserve])}::jsonb) WITH ORDINALITY AS x(t, i)),
        blocks AS (
          INSERT INTO block (workspace_id, attempt_id, scenario_id, block, trials)
          SELECT ${workspaceId}::uuid, ${attemptId}::uuid, t->>'scenario', (t->>'block')::int, count(*)::int
          FROM planned GROUP BY 3, 4 ON CONFLICT DO NOTHING)
        INSERT INTO trial (workspace_id, attempt_id, trial_id, ordinal, entry_key, scenario_id, block, position,
          slices_planned, warmup_s, duration_s, state)
        SELECT ${workspaceId}::uuid, ${attemptId}::uuid, (t->>'trial_id')::uuid, (i - 1)::int, t->>'entry_key', t->>'scenario',
          (t->>'block')::int, (t->>'position')::int, (t->>'slices')::int, (t->>'warmup_s')::float8, (t->>'duration_s')::float8,
          CASE WHEN reserve THEN 'not-needed' ELSE 'planned' END
        FROM planned ON CONFLICT DO NOTHING`,
  );
  await run(
    tx,
    sql`UPDATE attempt SET planned_s = ${plan.planned_s}, prng = ${storable(plan.prng)}, shuffle = ${storable(plan.shuffle)},
          plan_blocks = ${plan.blocks && JSON.stringify(plan.blocks)}::jsonb
        WHERE workspace_id = ${workspaceId} AND attempt_id = ${attemptId}`,
  );
  await run(
    tx,
    sql`UPDATE run SET planned_s = ${plan.planned_s}, trials_total = ${plan.trials.length}, revision = revision + 1
        WHERE workspace_id = ${workspaceId} AND run_id = ${to.runId} AND attempt_no = ${to.attemptNo}`,
  );
  await setDeadline(tx, to);
}
