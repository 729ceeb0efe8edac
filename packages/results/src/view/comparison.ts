import { Environment, Id, Load, RunState, Source, ToolName, Workload } from "@rigmark/protocol";
import { z } from "zod";
import { ENTRY_CHANGES } from "../match-series";
import { LatencyCurve } from "./curve";
import { Moment, ReportRunName } from "./scalar";
import { EntrySummary, Spread } from "./summary";

export const ComparedRun = z.object({
  run_id: Id,
  title: z.string(),
  /** In a report: as it was when the report was made. */
  state: RunState,
  /** `host_id` is null for a run of a report, which may be of somebody else's host. */
  host: z.object({ host_id: Id.nullable(), name: z.string() }),
  /** Where it is a run as a report keeps it; null for one of the workspace's own. */
  report: ReportRunName.nullable(),
  created_at: Moment,
  source: Source.nullable(),
  published_by: z.string().nullable(),
  environment: Environment.nullable(),
});

const Ratio = z.object({ estimate: z.number(), low: z.number(), high: z.number(), confidence: z.number() });

/** An entry under a scenario in one run. */
export const ComparedCell = EntrySummary.pick({
  verdict: true,
  ratio: true,
  ratio_bound: true,
  lower_bound: true,
  latency_bound: true,
  unranked_code: true,
  unranked_reason: true,
  not_sustained: true,
  blocks_in_common: true,
  sentence: true,
  trials_valid: true,
  requests_per_s: true,
  percentiles: true,
  cpu_us_per_request: true,
  no_cpu_code: true,
  rss_peak_bytes: true,
}).extend({
  entry_key: z.string(),
  /** Of what ranks there, in the metric's unit. */
  figure: Spread.nullable(),
  /** In how many of its valid trials the percentile that ranks there counts; null: in all, in none, or none ranks. */
  partly: z
    .object({ n: z.int(), all: z.int(), note: z.string().nullable(), note_zh: z.string().nullable() })
    .nullable(),
  /** It is the entry that the others of its run are compared with. */
  baseline: z.boolean(),
});

const Changes = z.array(z.enum(ENTRY_CHANGES));

/** One series in two runs on one host; packages/stats says what the difference is worth. */
export const BetweenTwoRuns = z.object({
  /** Place of the series. */
  series: z.int(),
  /** The entry's label in run `b`, by which its history is found. */
  label: z.string(),
  /** Places of the runs: the figure of `b` is seen from `a`. */
  a: z.int(),
  b: z.int(),
  /** What of the entry is not in `b` as it is in `a`. */
  changed: Changes,
  ratio_of_medians: z.number().nullable(),
  ratio: Ratio.nullable(),
  verdict: z.enum(["faster", "slower", "no-difference", "not-comparable"]).nullable(),
  code: z
    .enum(["not-ranked", "no-figure", "tool-limit", "environment-differs", "too-little-history"])
    .nullable(),
  history_runs: z.int(),
  /** Why there is no verdict. */
  reason: z.string().nullable(),
  sentence: z.string(),
});

export const ComparedScenario = z.object({
  scenario: z.string(),
  title: z.string(),
  tool: ToolName,
  workload: Workload,
  load: Load,
  metric: z.enum(["requests_per_s", "p99_us", "cpu_us_per_request", "first_byte_p50_us"]),
  /** A row a run that has it, with a cell a series; null where the run lacks the series. */
  rows: z.array(z.object({ run: z.int(), cells: z.array(ComparedCell.nullable()) })),
  between: z.array(BetweenTwoRuns),
});

/** Entries of several runs beside each other. */
export const ComparisonView = z.object({
  runs: z.array(ComparedRun),
  /** `changed`, run by run: what of the entry is not as in the first run that has it. */
  series: z.array(z.object({ name: z.string(), server: z.string(), changed: z.array(Changes) })),
  /** Place of the series that each run's others are compared with; null: each run's own baseline. */
  baseline: z.int().nullable(),
  scenarios: z.array(ComparedScenario),
  /** Sentences about what is not whole, not the same in each run, or could not be set side by side. */
  notes: z.array(z.string()),
  /** Runs that were asked for and are left out: they were deleted, or are not in this workspace. */
  gone: z.array(Id).default([]),
});

/** The latency curves of each compared run, in the order of the comparison; empty where its tool gives no histograms. */
export const ComparedCurves = z.object({
  runs: z.array(z.array(LatencyCurve.omit({ over_time: true }))),
});

export type ComparedCurves = z.infer<typeof ComparedCurves>;
export type ComparedRun = z.infer<typeof ComparedRun>;
export type ComparedCell = z.infer<typeof ComparedCell>;
export type BetweenTwoRuns = z.infer<typeof BetweenTwoRuns>;
export type ComparedScenario = z.infer<typeof ComparedScenario>;
export type ComparisonView = z.infer<typeof ComparisonView>;
