import { z } from "zod";
import { HostFacts } from "../host";
import { RunSpec } from "../run-spec";
import {
  AttemptNo,
  Count,
  Count32,
  Id,
  LIMITS,
  Message,
  MonotonicUs,
  Name,
  Quantity,
  ScenarioRef,
  Sha256,
  Slug,
  WallUs,
} from "../scalar";
import { ToolName, Workload } from "../scenario";
import { Plan } from "./plan";
import { Limit, Reason, Resources, ToolResult, TrialStatus } from "./result";

/** First record of every journal. */
export const Begin = z.strictObject({
  run_id: Id,
  attempt_id: Id,
  attempt_no: AttemptNo,
  /** Wall clock at this record's `t_us`: the one anchor of the boot. */
  wall_us: WallUs,
  boot_id: Name,
  agent_version: Name,
  spec: RunSpec,
});

export const Environment = z.strictObject({
  facts: HostFacts,
  tools: z.array(z.strictObject({ name: ToolName, version: Name.nullable() })).max(20),
  load1_before: Quantity.nullable(),
  sandboxed: z.boolean(),
  /** Null when there is none (a local run). */
  control_plane_same_host: z.boolean().nullable(),
  /** sha256 over all that has to be the same for two runs to be comparable; null in older journals. */
  fingerprint: Sha256.nullable().default(null),
  /** What `--tune` changed for the length of the run. */
  tuned: z
    .array(z.strictObject({ name: Name, before: Name, during: Name }))
    .max(2000)
    .default([]),
  /** Which cores the server and the tool were kept on, in words; null in older journals. */
  core_split: Name.nullable().default(null),
});

export const PhaseName = z.enum([
  "preflight",
  "build",
  "start",
  "verify",
  "warm-up",
  "measure",
  "verify-after",
  "clean-up",
]);

/** A phase begins or ends. `entry_key` and `trial_id` are null where it concerns the whole run. */
export const Phase = z.strictObject({
  phase: PhaseName,
  status: z.enum(["begin", "end", "failed"]),
  entry_key: Sha256.nullable(),
  trial_id: Id.nullable(),
  message: Message.nullable(),
});

export const Log = z.strictObject({
  source: z.enum(["agent", "build", "server", "tool"]),
  level: z.enum(["info", "warn", "error"]),
  entry_key: Sha256.nullable(),
  trial_id: Id.nullable(),
  line: z.string().max(LIMITS.log_line_chars),
});

export const VerifyCheck = z.strictObject({
  id: Slug,
  title: Name,
  status: z.enum(["passed", "failed", "skipped"]),
  /** One sentence; for a cut body it has both byte counts. */
  message: Message.nullable(),
  expected_bytes: Count.nullable(),
  actual_bytes: Count.nullable(),
});

export const Verify = z.strictObject({
  entry_key: Sha256,
  trial_id: Id.nullable(),
  when: z.enum(["before", "during", "after"]),
  workload: Workload,
  status: z.enum(["passed", "failed"]),
  checks: z.array(VerifyCheck).max(100),
});

/** What a build does beyond what any load asks for: HTTP, limits, how it ends. It leaves nobody out. Once for each entry and workload. */
export const Conformance = z.strictObject({
  entry_key: Sha256,
  workload: Workload,
  checks: z.array(VerifyCheck).max(100),
});

/** Cumulative counters of a process tree. */
export const ProcessCounters = z.strictObject({
  cpu_us: Count.nullable(),
  rss_bytes: Count.nullable(),
  processes: Count.nullable(),
  threads: Count.nullable(),
  context_switches: Count.nullable(),
});

/** Cumulative counters of one trial at the record's `t_us`; about one a second. */
export const Sample = z.strictObject({
  trial_id: Id,
  /** `warm-up` samples are shown shaded and never counted. */
  window: z.enum(["warm-up", "measure"]),
  /** Requests so far as the tool printed them; null for a tool that prints none while it runs. */
  requests: Count.nullable(),
  /** When the tool printed that count, on the agent's clock: it is up to a second older than the record. */
  requests_t_us: MonotonicUs.nullable().default(null),
  /** Bytes received so far on the loopback of the trial's own network namespace. */
  loopback_bytes: Count.nullable(),
  server: ProcessCounters.nullable(),
  tool: ProcessCounters.nullable(),
  host: z.strictObject({
    cpu_busy_us: Count.nullable(),
    cpu_total_us: Count.nullable(),
    cpu_steal_us: Count.nullable(),
    load1: Quantity.nullable(),
    memory_available_bytes: Count.nullable(),
    temperature_millic: z.int().nullable(),
    frequency_khz: Count.nullable(),
  }),
});

/** What grew within one slice. Times of the host are of all its cores together. */
export const SliceCounters = z.strictObject({
  requests: Count.nullable(),
  /** As long as the tool says that it measured. */
  tool_us: Count.nullable(),
  server_cpu_us: Count.nullable(),
  tool_cpu_us: Count.nullable(),
  host_total_us: Count.nullable(),
  host_steal_us: Count.nullable(),
  /** CPU time of neither server, tool, agent nor interrupts. */
  others_cpu_us: Count.nullable(),
});

export const Slice = z.strictObject({
  index: Count32,
  begin_us: MonotonicUs,
  end_us: MonotonicUs,
  /** The round was disturbed by the host: this slice is in no figure of the trial. */
  left_out: z.boolean().default(false),
  /** What the rule about rounds was applied to; null for the tool runs of a count, and in older journals. */
  counters: SliceCounters.nullable().default(null),
});

/** A round is one slice of each entry. Those that the host disturbed are left out for all entries alike. */
export const Rounds = z.strictObject({ measured: Count32, left_out: Count32 });

/** How a run's wall time was spent, in microseconds. The parts add up to `total_us`. */
export const TimeSpent = z.strictObject({
  total_us: Count,
  /** Load that counts, disturbed blocks and left-out rounds included. */
  measuring_us: Count,
  warm_up_us: Count,
  verifying_us: Count,
  building_us: Count,
  /** Starting and stopping servers. */
  starting_us: Count,
  /** For a quieter moment, with the probes that look for it. */
  waiting_us: Count,
  other_us: Count,
});

/**
 * Responses of a stretch of time, by latency. Band 4·e + q begins at 2^e · (1 + q/4) ns and ends where the next begins; `first`
 * is the band of the first count.
 */
export const BandColumn = z.strictObject({
  from_us: MonotonicUs,
  to_us: MonotonicUs,
  first: Count32.max(168),
  counts: z.array(Count).max(168),
});

/** A latency histogram: HDR V2, 3 significant digits, values in nanoseconds. */
export const Histogram = z.strictObject({
  trial_id: Id,
  encoding: z.literal("hdr-v2-deflate-base64"),
  unit: z.literal("ns"),
  digits: z.literal(3),
  resolution_us: Quantity,
  corrected: z.boolean(),
  count: Count,
  blob: z.string().max(48 * 1024),
  /** The same over the time of the trial. Null in older journals, and where the tool does not tell. */
  over_time: z.array(BandColumn).max(120).nullable().default(null),
});

/** How a trial ended. `status` other than `valid` is kept, shown with its reasons and in no ranking. */
export const Trial = z.strictObject({
  trial_id: Id,
  entry_key: Sha256,
  scenario: ScenarioRef,
  block: Count32,
  position: Count32,
  status: TrialStatus,
  reasons: z.array(Reason).max(20),
  labels: z.array(Reason).max(20),
  slices: z.array(Slice).max(10_000),
  result: ToolResult.nullable(),
  resources: Resources.nullable(),
  limit: Limit.nullable(),
  /** For a load given as a count: what its first tool run said. Shown, and never ranked: `result` has all of them together. */
  single_shot: ToolResult.nullable().default(null),
  /** How long it was really warmed up, and whether it was steady then; null where nobody looked. */
  warmup_us: Count.nullable().default(null),
  warmup_steady: z.boolean().nullable().default(null),
  /** Of a trial in slices; null for others, and in older journals. */
  rounds: Rounds.nullable().default(null),
});

/** Something that a reader of the whole run must know, such as `unsandboxed`. */
export const RunLabel = z.strictObject({ code: Slug, message: Message, entry_key: Sha256.nullable() });

/** Last record: how the attempt ended. */
export const Result = z.strictObject({
  status: z.enum(["succeeded", "failed", "cancelled"]),
  /** What went wrong and what to do next; null when it succeeded. */
  error: Reason.nullable(),
  trials_valid: Count32,
  trials_invalid: Count32,
  /** Null in older journals, and where the run never began. */
  time: TimeSpent.nullable().default(null),
});

/** Raw output of a tool, in the second stream (`raw`). */
export const Raw = z.strictObject({
  trial_id: Id,
  /** Such as `ab.stdout`, `k6.summary.json`. */
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  part: Count,
  text: z.string().max(LIMITS.line_bytes),
  /** True on the last part when the cap was reached and the rest is missing. */
  truncated: z.boolean(),
});

const envelope = {
  v: z.literal(1),
  /** Counts from 0 within its stream without gaps. */
  seq: Count,
  t_us: MonotonicUs,
};
const record = <K extends string, D extends z.ZodType>(kind: K, data: D) =>
  z.strictObject({ ...envelope, kind: z.literal(kind), data });

/** One line of the journal: the same on disk, on the wire and in `--out`. */
export const JournalRecord = z.discriminatedUnion("kind", [
  record("begin", Begin),
  record("environment", Environment),
  record("plan", Plan),
  record("phase", Phase),
  record("log", Log),
  record("verify", Verify),
  record("conformance", Conformance),
  record("sample", Sample),
  record("histogram", Histogram),
  record("trial", Trial),
  record("label", RunLabel),
  record("result", Result),
]);
export const RawRecord = record("raw", Raw);

export type TimeSpent = z.infer<typeof TimeSpent>;
export type JournalRecord = z.infer<typeof JournalRecord>;
export type RawRecord = z.infer<typeof RawRecord>;
export type JournalKind = JournalRecord["kind"];
export type RecordOf<K extends JournalKind> = Extract<JournalRecord, { kind: K }>;
export type Sample = z.infer<typeof Sample>;
export type Trial = z.infer<typeof Trial>;
export type Verify = z.infer<typeof Verify>;
export type VerifyCheck = z.infer<typeof VerifyCheck>;
export type Conformance = z.infer<typeof Conformance>;
export type Environment = z.infer<typeof Environment>;
export type Phase = z.infer<typeof Phase>;
export type PhaseName = z.infer<typeof PhaseName>;
export type RunLabel = z.infer<typeof RunLabel>;
export type Histogram = z.infer<typeof Histogram>;
export type BandColumn = z.infer<typeof BandColumn>;
