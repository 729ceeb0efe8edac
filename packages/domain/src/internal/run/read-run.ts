import { all, sql } from "@rigmark/db";
import { FINAL_STATES } from "@rigmark/protocol";
import { plannedRange, type RunView } from "@rigmark/results";
import type { Ctx } from "../../context";
import { readSuite } from "../host/catalogue";
import { findHost, hostSummary } from "../host/summary";
import { iso, isoOrNull } from "../moment";
import { errorOf, findRun, type RunRow } from "./find";
import { type Loaded, loadAttempt } from "./load";
import { currentPhase, phaseViews } from "./phases";
import { repeatCommand } from "./repeat-command";
import { trySummarize } from "./summarize";
import { trialView } from "./trial-view";

/** Of an incomplete run: what was announced and is not here, or where the streams stop. */
function missingOf(row: RunRow, loaded: Loaded): RunView["missing"] {
  if (row.missing && row.missing.length > 0) return row.missing;
  if (row.state !== "incomplete" || loaded.attempt?.finished_at) return [];
  return loaded.streams.map((s) => ({ stream: s.name, from_seq: s.next_seq, to_seq: null }));
}

/** A run with everything that its page shows. The caller has checked that it may be seen. */
export async function readRun(
  ctx: Ctx,
  workspaceId: string,
  runId: string,
): Promise<{ row: RunRow; loaded: Loaded; view: RunView }> {
  const row = await findRun(ctx, workspaceId, runId);
  return { row, ...(await readView(ctx, workspaceId, row)) };
}

/** The same for a run that was found. */
export async function readView(
  ctx: Ctx,
  workspaceId: string,
  row: RunRow,
): Promise<{ loaded: Loaded; view: RunView }> {
  const [loaded, host, reports, suite] = await Promise.all([
    loadAttempt(ctx, workspaceId, row.attempt_id),
    findHost(ctx, workspaceId, row.host_id),
    all<{ report_id: string; slug: string; revoked: boolean }>(
      ctx.db,
      sql`SELECT p.report_id, s.slug, p.revoked_at IS NOT NULL OR coalesce(p.expires_at <= ${ctx.now()}, false) AS revoked
          FROM report p JOIN report_slug s USING (workspace_id, report_id)
          WHERE p.workspace_id = ${workspaceId} AND p.run_id = ${row.run_id} ORDER BY p.created_at DESC`,
    ),
    row.spec.suite ? readSuite(ctx, workspaceId, row.host_id, row.spec.suite) : null,
  ]);
  const beginUs = loaded.attempt?.begin_us ?? 0;
  const phases = phaseViews(loaded.phases, beginUs);
  const final = FINAL_STATES.includes(row.state);
  const now = final ? null : currentPhase(phases);
  const view: RunView = {
    run_id: row.run_id,
    title: row.title,
    state: row.state,
    unreachable: row.unreachable && !final,
    final,
    cancel_requested: row.cancel_requested_at !== null,
    attempt_no: row.attempt_no === 0 ? null : row.attempt_no,
    spec: row.spec,
    host: hostSummary(host, ctx.now()),
    requested_by: row.requested_by_name,
    schedule: row.schedule_id === null ? null : { name: row.schedule_name },
    expires_at: isoOrNull(row.expires_at),
    source: row.source,
    published_by: row.published_by,
    repeats: row.repeats,
    note: row.note,
    tags: row.tags,
    timings: {
      created_at: iso(row.created_at),
      leased_at: isoOrNull(row.leased_at),
      started_at: isoOrNull(row.started_at),
      finished_at: isoOrNull(row.finished_at),
      deadline_at: isoOrNull(row.deadline_at),
      planned_s: row.planned_s,
      planned_range: loaded.scenarios.length > 0 ? plannedRange(row.spec, loaded.scenarios) : null,
    },
    error: errorOf(row),
    missing: missingOf(row, loaded),
    corrupt_records: row.corrupt_records,
    current: now && {
      phase: now.phase,
      entry_key: now.entry_key,
      trial_id: now.trial_id,
      since_s: now.began_s,
    },
    phases,
    entries: loaded.entries,
    scenarios: loaded.scenarios,
    blocks: loaded.attempt?.plan_blocks ?? null,
    trials: loaded.trials.map((t) => trialView(t, beginUs)),
    verify: loaded.verify.map(({ t_us, ...verify }) => ({ ...verify, at_s: (t_us - beginUs) / 1e6 })),
    conformance: loaded.conformance,
    labels: loaded.labels,
    environment: loaded.attempt?.environment ?? null,
    time: loaded.attempt?.time ?? null,
    summary: trySummarize(ctx, row.run_id, loaded),
    repeat_command: repeatCommand(row.spec, { ...loaded, environment: loaded.attempt?.environment ?? null }),
    suite,
    reports: reports.map((r) => ({ ...r, url: `${ctx.config.publicUrl}/r/${r.slug}` })),
  };
  return { loaded, view };
}
