import {
  Conformance,
  Environment,
  Id,
  PlanBlocks,
  PlanEntry,
  RunLabel,
  RunSpec,
  RunState,
  Scenario,
  Source,
  Suite,
  TimeSpent,
} from "@rigmark/protocol";
import { z } from "zod";
import { MOST_IN_REPORT } from "../comparable";
import { LatencyCurve } from "./curve";
import { published } from "./published";
import { TrialSeries, TrialView, VerifyView } from "./run";
import { Moment, ReportSlug } from "./scalar";
import { RunSummary } from "./summary";

/** Facts of the host that a reader needs and its owner need not hide. */
export const ReportHost = z.object({
  /** The board or CPU, unless the owner chose to show the host's name. */
  name: z.string(),
  redacted: z.boolean(),
  os_name: z.string().nullable(),
  kernel: z.string().nullable(),
  arch: z.string().nullable(),
  board: z.string().nullable(),
  cpu_model: z.string().nullable(),
  cpus_online: z.int().nullable(),
  memory_bytes: z.number().nullable(),
});

export const ReportRun = z.object({
  run_id: Id,
  title: z.string(),
  state: RunState,
  started_at: Moment.nullable(),
  finished_at: Moment.nullable(),
  /** Absent in reports from before runs had one. */
  source: Source.nullable().default(null),
  /** Who published it from a file; null for a run that was queued here, and in reports from before files were published. */
  published_by: z.string().nullable().default(null),
  spec: RunSpec,
  /** Ways in which the run is not whole, as sentences. */
  gaps: z.array(z.string()),
  host: ReportHost,
  entries: z.array(PlanEntry),
  scenarios: z.array(Scenario),
  /** Absent in reports from before runs had a precision. */
  blocks: PlanBlocks.nullable().default(null),
  trials: z.array(TrialView),
  verify: z.array(VerifyView),
  /** Absent in reports from before it was looked at apart from verification. */
  conformance: z.array(Conformance).default([]),
  labels: z.array(RunLabel),
  environment: Environment.transform(published).nullable(),
  /** Absent in reports from before it was counted. */
  time: TimeSpent.nullable().default(null),
  summary: RunSummary.nullable(),
  series: z.array(TrialSeries),
  /** Absent in reports from before there were curves: those have the percentiles that the tool printed. */
  curves: z.array(LatencyCurve).default([]),
  repeat_command: z.string(),
  /** Absent in reports from before there were suites. */
  suite: Suite.nullable().default(null),
});

/** A frozen report, stored as such. A new shape gets a new number and old numbers stay readable. */
export const ReportSnapshot = z.object({
  report: z.literal(1),
  slug: ReportSlug,
  title: z.string(),
  created_at: Moment,
  rigmark_version: z.string(),
  /** The first is the one that the report is listed under. */
  runs: z.array(ReportRun).min(1).max(MOST_IN_REPORT),
});

export type ReportHost = z.infer<typeof ReportHost>;
export type ReportRun = z.infer<typeof ReportRun>;
export type ReportSnapshot = z.infer<typeof ReportSnapshot>;
