import { all, type Query, sql } from "@rigmark/db";
import type { Environment, PlanEntry, Scenario } from "@rigmark/protocol";
import { EntrySummary, type ScenarioSummary } from "@rigmark/results";
import type { Ctx } from "../../context";
import { readEntries, readScenarios } from "./load";

/** What is stored of a summary: no trials, and no sentences about the whole. */
export interface StoredSummary {
  scenarios: Pick<ScenarioSummary, "scenario" | "metric" | "entries">[];
}

export interface StoredRun {
  entries: PlanEntry[];
  scenarios: Scenario[];
  environment: Environment | null;
  /** Null where no trial ended. */
  summary: StoredSummary | null;
}

interface ResultRow {
  attempt_id: string;
  scenario_id: string;
  metric: ScenarioSummary["metric"];
  summary: unknown;
}

/**
 * Attempts as `storeResults` kept them when they ended: a few statements for all, where reading and summing up the trials takes
 * dozens. One whose results are not stored, or cannot be read, is missing; its trials tell.
 */
export async function readStored(
  ctx: Ctx,
  workspaceId: string,
  attemptIds: readonly string[],
): Promise<Map<string, StoredRun>> {
  if (attemptIds.length === 0) return new Map();
  const of: Query = sql`workspace_id = ${workspaceId} AND attempt_id = ANY(${[...attemptIds]}::uuid[])`;
  const [attempts, entries, scenarios, results] = await Promise.all([
    all<{ attempt_id: string; environment: Environment | null }>(
      ctx.db,
      sql`SELECT attempt_id, environment FROM attempt WHERE ${of} AND results_at IS NOT NULL`,
    ),
    readEntries(ctx, of),
    readScenarios(ctx, of),
    all<ResultRow>(
      ctx.db,
      sql`SELECT attempt_id, scenario_id, metric, summary FROM entry_result WHERE ${of}`,
    ),
  ]);
  const stored = new Map<string, StoredRun>();
  for (const { attempt_id, environment } of attempts)
    stored.set(attempt_id, { entries: [], scenarios: [], environment, summary: null });
  for (const { attempt_id, ...entry } of entries) stored.get(attempt_id)?.entries.push(entry);
  for (const { attempt_id, definition } of scenarios) stored.get(attempt_id)?.scenarios.push(definition);
  for (const row of results) {
    const run = stored.get(row.attempt_id);
    const entry = EntrySummary.safeParse(row.summary);
    if (!entry.success) stored.delete(row.attempt_id);
    else if (run) add(run, row, entry.data);
  }
  return stored;
}

function add(run: StoredRun, { scenario_id, metric }: ResultRow, entry: EntrySummary): void {
  run.summary ??= { scenarios: [] };
  const known = run.summary.scenarios.find(({ scenario }) => scenario === scenario_id);
  if (known) known.entries.push(entry);
  else run.summary.scenarios.push({ scenario: scenario_id, metric, entries: [entry] });
}
