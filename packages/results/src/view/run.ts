import {
  CatalogueScenario,
  CatalogueServer,
  CatalogueTool,
  Conformance,
  Environment,
  HostTune,
  Id,
  Limit,
  PhaseName,
  PlanBlocks,
  PlanEntry,
  PlanTrial,
  Reason,
  Resources,
  Rounds,
  RunLabel,
  RunSpec,
  RunState,
  Scenario,
  Sha256,
  Slice,
  Source,
  StreamName,
  Suite,
  TimeSpent,
  ToolResult,
  Verify,
} from "@rigmark/protocol";
import { z } from "zod";
import { RUN_FILTERS } from "../run-list";
import { HostSummary } from "./host";
import { Moment, ReportRunName } from "./scalar";
import { RunSummary } from "./summary";

const Range = z.object({ min: z.number(), max: z.number() });
const PlannedRangeView = z.object({ min_s: z.number(), max_s: z.number() });

/** All that the new-run page needs. What the host cannot do is there too, with reason and fix. */
export const RunOptions = z.object({
  host: HostSummary,
  servers: z.array(CatalogueServer),
  scenarios: z.array(CatalogueScenario),
  tools: z.array(CatalogueTool),
  suites: z.array(Suite),
  /** What a run may have tuned; null: the host's owner allows nothing. */
  tune: HostTune.nullable(),
  ranges: z.object({
    entries: Range,
    scenarios: Range,
    repeats: Range,
    duration_s: Range,
    warmup_s: Range,
    slice_s: Range,
    precision: Range,
  }),
});

export const RunCreated = z.object({ run_id: Id, planned: PlannedRangeView });

/** What a run showed under its first scenario that ranks: for a picture in a list. */
export const RunSketch = z.object({
  scenario: z.string(),
  metric: z.enum(["requests_per_s", "p99_us", "cpu_us_per_request"]),
  entries: z.array(
    z.object({
      label: z.string(),
      baseline: z.boolean(),
      verdict: z.enum(["faster", "slower", "no-difference", "not-comparable"]).nullable(),
      ratio: z.object({ estimate: z.number(), low: z.number(), high: z.number() }).nullable(),
    }),
  ),
});

export const RunListItem = z.object({
  run_id: Id,
  title: z.string(),
  state: RunState,
  unreachable: z.boolean(),
  host: z.object({ host_id: Id, name: z.string() }),
  requested_by: z.string().nullable(),
  /** Who published it from a file; null for a run that was queued here. */
  published_by: z.string().nullable(),
  created_at: Moment,
  started_at: Moment.nullable(),
  finished_at: Moment.nullable(),
  entries: z.array(z.object({ label: z.string(), server: z.string() })),
  scenarios: z.array(z.string()),
  repeats: z.int(),
  /** `total` is null until the agent has expanded the plan. */
  trials: z.object({ total: z.int().nullable(), done: z.int(), valid: z.int(), invalid: z.int() }),
  /** The sentence of the whole run; null before there is one. */
  headline: z.string().nullable(),
  source: Source.nullable().default(null),
  /** Null until the run has ended, and where nothing in it ranks. */
  sketch: RunSketch.nullable().default(null),
  tags: z.array(z.string()).default([]),
});
export const RunPage = z.object({
  runs: z.array(RunListItem),
  next_cursor: z.string().nullable(),
  /** Where no run matches: filters without which some would. */
  drop: z.array(z.enum(RUN_FILTERS)).default([]),
});

/** A phase, with seconds from the start of the attempt. */
export const PhaseView = z.object({
  phase: PhaseName,
  status: z.enum(["running", "ended", "failed"]),
  entry_key: Sha256.nullable(),
  trial_id: Id.nullable(),
  began_s: z.number(),
  ended_s: z.number().nullable(),
  message: z.string().nullable(),
});

export const TrialState = z.enum(["planned", "running", "valid", "invalid", "failed", "cancelled"]);

/** What pages and reports keep of a slice; its counters stay in the journal. */
export const DoneSlice = Slice.pick({ index: true, begin_us: true, end_us: true, left_out: true });

export const TrialView = PlanTrial.extend({
  /** Ends as the agent's own status of the trial. */
  state: TrialState,
  /** 0 to 1 of the measured window, from the newest sample. */
  progress: z.number().min(0).max(1),
  /** Seconds from the start of the attempt to the start of the measured window; null before. */
  measured_from_s: z.number().nullable(),
  reasons: z.array(Reason),
  labels: z.array(Reason),
  done_slices: z.array(DoneSlice),
  result: ToolResult.nullable(),
  resources: Resources.nullable(),
  limit: Limit.nullable(),
  /** Of a load given as a count: what its first tool run said. Shown, never ranked. */
  single_shot: ToolResult.nullable().default(null),
  /** How long it was really warmed up (`warmup_s` is what was planned), and whether it was steady then. */
  warmup_us: z.number().nullable().default(null),
  warmup_steady: z.boolean().nullable().default(null),
  /** Rounds that were measured, and those that the host disturbed; null where the trial has none. */
  rounds: Rounds.nullable().default(null),
});

export const VerifyView = Verify.extend({ at_s: z.number() });

export const RunTimings = z.object({
  created_at: Moment,
  leased_at: Moment.nullable(),
  started_at: Moment.nullable(),
  finished_at: Moment.nullable(),
  deadline_at: Moment.nullable(),
  /** The agent's own estimate, from its plan. */
  planned_s: z.number().nullable(),
  planned_range: PlannedRangeView.nullable(),
});

/** A run, whole. While it is live `run.watch` sends RunLight, then what changes of it: `{...run, ...light}` is the newest. The environment comes by itself. */
export const RunView = z.object({
  run_id: Id,
  title: z.string(),
  state: RunState,
  /** Side state: the agent has not been heard of for three heartbeats; it may well be measuring on. */
  unreachable: z.boolean(),
  final: z.boolean(),
  cancel_requested: z.boolean(),
  attempt_no: z.int().nullable(),
  spec: RunSpec,
  host: HostSummary,
  requested_by: z.string().nullable(),
  /** The schedule whose run it is, without a name once it is deleted; null for a run with a plan of its own. */
  schedule: z.object({ name: z.string().nullable() }).nullable().default(null),
  /** Until when it waits in the queue; null: for as long as it takes. */
  expires_at: Moment.nullable().default(null),
  /** Which commit was measured, where that was said. */
  source: Source.nullable().default(null),
  /** Who published it from a file; null for a run that was queued here. */
  published_by: z.string().nullable().default(null),
  /** The run of a report whose plan it repeats; null for a plan of its own. The report may be gone by now. */
  repeats: ReportRunName.nullable().default(null),
  /** What members wrote about it, in plain text; null: nothing. In no report. */
  note: z.string().nullable().default(null),
  tags: z.array(z.string()).default([]),
  timings: RunTimings,
  /** What went wrong and what to do next. */
  error: Reason.nullable(),
  /** Chunks that never arrived (`to_seq` exclusive, null: open end), and records that the spool counted as corrupt. */
  missing: z.array(z.object({ stream: StreamName, from_seq: z.int(), to_seq: z.int().nullable() })),
  corrupt_records: z.int(),
  /** Where the run is now; null unless it is live. */
  current: z
    .object({ phase: PhaseName, entry_key: Sha256.nullable(), trial_id: Id.nullable(), since_s: z.number() })
    .nullable(),
  /** Phases of the whole run and of entries; those of trials only while they are open. */
  phases: z.array(PhaseView),
  /** Empty until the agent has expanded the plan. Position in the array is the series' color. */
  entries: z.array(PlanEntry),
  scenarios: z.array(Scenario),
  /** Between how many blocks and how many the run may end, and when it is looked at; null before there is a plan. */
  blocks: PlanBlocks.nullable(),
  /** Without those that were not needed, once a run with a precision ended early. */
  trials: z.array(TrialView),
  verify: z.array(VerifyView),
  /** Of each entry, for each workload; not judged. */
  conformance: z.array(Conformance),
  labels: z.array(RunLabel),
  environment: Environment.nullable(),
  /** How the agent spent the run's wall time; null while it runs, and in runs from before it was counted. */
  time: TimeSpent.nullable().default(null),
  /** Medians, ratios, verdicts and ranking, all from packages/stats. Null before the first trial ended. */
  summary: RunSummary.nullable(),
  /** The command that repeats this run on one's own host. */
  repeat_command: z.string(),
  /** The suite that it was made from, as its host knows it; null when there was none or the host has it no more. */
  suite: Suite.nullable(),
  /** An expired one counts as revoked. */
  reports: z.array(z.object({ report_id: Id, slug: z.string(), url: z.string(), revoked: z.boolean() })),
});
export const RunLight = RunView.omit({ environment: true, reports: true });

/** A point of a trial's series. Rates are of the second before it; unknown is null, never 0. */
export const SeriesPoint = z.object({
  /** Seconds from the start of the measured window; warm-up is negative. */
  t_s: z.number(),
  window: z.enum(["warm-up", "measure"]),
  requests_per_s: z.number().nullable(),
  /** `loopback`: bytes on the trial's own loopback, so only `bytes_per_s` is known. */
  rate_source: z.enum(["tool", "loopback"]).nullable(),
  bytes_per_s: z.number().nullable(),
  server_cpu_cores: z.number().nullable(),
  tool_cpu_cores: z.number().nullable(),
  server_rss_bytes: z.number().nullable(),
});
export const TrialSeries = z.object({
  trial_id: Id,
  entry_key: Sha256,
  points: z.array(SeriesPoint),
  /** True when points were left out to fit `maxPoints`; the public API calls it `thinned`. */
  downsampled: z.boolean(),
});
export const RunSeries = z.object({ series: z.array(TrialSeries) });

export const LogView = z.object({
  seq: z.int(),
  t_s: z.number(),
  source: z.enum(["agent", "build", "server", "tool"]),
  level: z.enum(["info", "warn", "error"]),
  entry_key: Sha256.nullable(),
  trial_id: Id.nullable(),
  /** Untrusted text. */
  line: z.string(),
});
export const RunLogs = z.object({
  lines: z.array(LogView),
  /** Pass as `before` to read older lines; null when there are none. */
  before: z.int().nullable(),
});

/** What the tool printed for a trial, byte for byte as far as it was kept. */
export const RawFiles = z.object({
  files: z.array(z.object({ name: z.string(), text: z.string(), truncated: z.boolean() })),
});

export const RunCancelled = z.object({ state: RunState });

export type RunOptions = z.infer<typeof RunOptions>;
export type RunCreated = z.infer<typeof RunCreated>;
export type RunSketch = z.infer<typeof RunSketch>;
export type RunListItem = z.infer<typeof RunListItem>;
export type RunPage = z.infer<typeof RunPage>;
export type PhaseView = z.infer<typeof PhaseView>;
export type TrialState = z.infer<typeof TrialState>;
export type TrialView = z.infer<typeof TrialView>;
export type VerifyView = z.infer<typeof VerifyView>;
export type RunView = z.infer<typeof RunView>;
export type RunLight = z.infer<typeof RunLight>;
export type SeriesPoint = z.infer<typeof SeriesPoint>;
export type TrialSeries = z.infer<typeof TrialSeries>;
export type RunSeries = z.infer<typeof RunSeries>;
export type LogView = z.infer<typeof LogView>;
export type RunLogs = z.infer<typeof RunLogs>;
export type RawFiles = z.infer<typeof RawFiles>;
export type RunCancelled = z.infer<typeof RunCancelled>;
