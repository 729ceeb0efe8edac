import { all, one, type Query, sql } from "@rigmark/db";
import type {
  Conformance,
  Environment,
  PlanBlocks,
  PlanEntry,
  Revision,
  RunLabel,
  Scenario,
  StreamName,
  TimeSpent,
  TrialStatus,
  Verify,
} from "@rigmark/protocol";
import type { DoneSlice, TrialView } from "@rigmark/results";
import type { z } from "zod";
import type { Ctx } from "../../context";

/** What the tables hold of one attempt. */
export interface Loaded {
  attempt: AttemptRow | null;
  entries: PlanEntry[];
  scenarios: Scenario[];
  trials: TrialRow[];
  phases: PhaseRow[];
  verify: (Verify & { t_us: number })[];
  conformance: Conformance[];
  labels: RunLabel[];
  streams: { name: StreamName; next_seq: number }[];
}
interface AttemptRow {
  attempt_no: number;
  begin_us: number | null;
  environment: Environment | null;
  finished_at: Date | null;
  plan_blocks: PlanBlocks | null;
  time: z.infer<typeof TimeSpent> | null;
}
export interface TrialRow
  extends Pick<
    TrialView,
    | "reasons"
    | "labels"
    | "result"
    | "resources"
    | "limit"
    | "single_shot"
    | "warmup_us"
    | "warmup_steady"
    | "rounds"
    | "entry_key"
    | "trial_id"
    | "block"
  > {
  scenario_id: string;
  position: number;
  slices_planned: number;
  warmup_s: number;
  duration_s: number;
  state: "planned" | "running" | z.infer<typeof TrialStatus>;
  begin_us: number | null;
  measure_us: number | null;
  last_us: number | null;
  slices: z.infer<typeof DoneSlice>[];
}
export interface PhaseRow {
  t_us: number;
  phase: "preflight" | "build" | "start" | "verify" | "warm-up" | "measure" | "verify-after" | "clean-up";
  status: "begin" | "end" | "failed";
  entry_key: string | null;
  trial_id: string | null;
  message: string | null;
}

const NOTHING: Loaded = {
  attempt: null,
  entries: [],
  scenarios: [],
  trials: [],
  phases: [],
  verify: [],
  conformance: [],
  labels: [],
  streams: [],
};

export async function loadAttempt(ctx: Ctx, workspaceId: string, attemptId: string | null): Promise<Loaded> {
  if (attemptId === null) return NOTHING;
  const of: Query = sql`workspace_id = ${workspaceId} AND attempt_id = ${attemptId}`;
  const [attempt, entries, scenarios, trials, phases, verify, conformance, labels, streams] =
    await Promise.all([
      one<AttemptRow>(
        ctx.db,
        sql`SELECT attempt_no, begin_us, environment, finished_at, plan_blocks, result->'time' AS time FROM attempt WHERE ${of}`,
      ),
      readEntries(ctx, of),
      readScenarios(ctx, of),
      loadTrials(ctx, of),
      all<PhaseRow>(
        ctx.db,
        sql`SELECT t_us, phase, status, entry_key, trial_id, message FROM phase p WHERE ${of} AND (trial_id IS NULL OR EXISTS (
            SELECT 1 FROM trial t WHERE t.workspace_id = p.workspace_id AND t.attempt_id = p.attempt_id
              AND t.trial_id = p.trial_id AND t.state IN ('planned', 'running')))
          ORDER BY seq`,
      ),
      all<Verify & { t_us: number }>(
        ctx.db,
        sql`SELECT t_us, entry_key, trial_id, "when", workload, status, checks FROM verify WHERE ${of} ORDER BY seq`,
      ),
      all<Conformance>(
        ctx.db,
        sql`SELECT entry_key, workload, checks FROM conformance WHERE ${of} ORDER BY seq`,
      ),
      all<RunLabel>(ctx.db, sql`SELECT code, message, entry_key FROM label WHERE ${of} ORDER BY seq`),
      all<Loaded["streams"][number]>(
        ctx.db,
        sql`SELECT name, next_seq FROM stream WHERE ${of} ORDER BY name`,
      ),
    ]);
  return {
    attempt,
    entries: entries.map(({ attempt_id: _, ...entry }) => entry),
    scenarios: scenarios.map((s) => s.definition),
    trials,
    phases,
    verify,
    conformance,
    labels,
    streams,
  };
}

/** In the order of their run's plan; of several attempts all together. */
export async function readEntries(ctx: Ctx, of: Query): Promise<(PlanEntry & { attempt_id: string })[]> {
  const rows = await all<Omit<PlanEntry, "revision"> & { attempt_id: string; revision: Revision | null }>(
    ctx.db,
    sql`SELECT attempt_id, entry_key AS key, label, server, title, content_hash, options, baseline, revision
        FROM entry WHERE ${of} ORDER BY position`,
  );
  return rows.map(({ revision, ...entry }) => (revision ? { ...entry, revision } : entry));
}

/** In the order of their run's plan; of several attempts all together. */
export const readScenarios = (ctx: Ctx, of: Query): Promise<{ attempt_id: string; definition: Scenario }[]> =>
  all<{ attempt_id: string; definition: Scenario }>(
    ctx.db,
    sql`SELECT attempt_id, definition FROM run_scenario WHERE ${of} ORDER BY position`,
  );

/** Those that were not needed, because the run ended early, are no trials of it. */
export const loadTrials = (ctx: Ctx, of: Query): Promise<TrialRow[]> =>
  all<TrialRow>(
    ctx.db,
    sql`SELECT t.trial_id, t.entry_key, t.scenario_id, t.block, t.position, t.slices_planned, t.warmup_s, t.duration_s,
          t.state, t.begin_us, t.measure_us, t.last_us, t.reasons, t.labels, t.result, t.resources, t."limit", t.single_shot,
          t.warmup_us, t.warmup_steady, t.rounds,
          coalesce((SELECT jsonb_agg(jsonb_build_object('index', s.index, 'begin_us', s.begin_us, 'end_us', s.end_us,
            'left_out', s.left_out) ORDER BY s.index)
            FROM slice s WHERE s.workspace_id = t.workspace_id AND s.attempt_id = t.attempt_id AND s.trial_id = t.trial_id),
            '[]') AS slices
        FROM trial t WHERE ${of} AND t.state <> 'not-needed' ORDER BY t.ordinal`,
  );
