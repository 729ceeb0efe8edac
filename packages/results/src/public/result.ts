import { Id, RunState } from "@rigmark/protocol";
import { z } from "zod";
import { Blocks, EntrySummary, NoVerdict, ScenarioSummary, Spread } from "../view/summary";
import { Verdict } from "./run";

const Figure = Spread.meta({
  id: "Figure",
  description:
    "A figure over the valid trials of an entry: how many, median, least, most, coefficient of variation.",
});

export const ResultEntry = z.object({
  label: z.string(),
  server: z.string(),
  baseline: z.boolean(),
  rank: z.int().nullable().describe("The best place that the entry can have, given the verdicts."),
  rank_to: z.int().nullable().describe("The worst such place."),
  verdict: Verdict.nullable(),
  ratio: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  ratio_bound: EntrySummary.shape.ratio_bound
    .unwrap()
    .describe("If the load tool was the bottleneck: whether the true ratio is at least or at most this one."),
  lower_bound: z.boolean().describe("The load tool limited it: its rate is written `≥ median`."),
  latency_bound: EntrySummary.shape.latency_bound
    .unwrap()
    .describe(
      "If the load tool was the bottleneck: whether its true latencies are at least or at most these.",
    ),
  not_sustained: z
    .object({ trials: z.int(), of: z.int(), reason: z.string() })
    .nullable()
    .describe("In how many valid trials it did not sustain the fixed rate; null if it did in all."),
  unranked: z
    .object({ code: z.string().nullable(), reason: z.string() })
    .nullable()
    .describe("Why its figures are not compared with those of other entries."),
  trials_valid: z.int(),
  trials_invalid: z.int(),
  requests_per_s: Figure.nullable(),
  cpu_us_per_request: Figure.nullable(),
  rss_peak_bytes: Figure.nullable(),
  percentiles: z.array(
    z.object({
      p: z.number(),
      us: Figure.nullable(),
      rankable: z.boolean(),
      note: z
        .object({ code: z.string().nullable(), reason: z.string() })
        .nullable()
        .describe("Why it does not count, counts only in some trials, or is not ranked."),
    }),
  ),
  sentence: z.string(),
});

export const ResultScenario = z.object({
  scenario: z.string(),
  title: z.string(),
  tool: z.string(),
  metric: ScenarioSummary.shape.metric.describe("What the entries are compared by."),
  sentence: z.string(),
  winner: z.string().nullable().describe("Label of the entry shown to be better than every other."),
  no_verdict: NoVerdict.pick({ code: true, sentence: true })
    .nullable()
    .describe("Why no difference was shown."),
  blocks: Blocks.pick({
    needed: true,
    asked: true,
    measured: true,
    counted: true,
    disturbed: true,
  }).nullable(),
  entries: z.array(ResultEntry),
});

/** What the run's page shows of each scenario. All of it comes from packages/stats. */
export const RunResults = z
  .object({
    run: Id,
    state: RunState,
    sentence: z.string().nullable().describe("The verdict; null before the first trial ended."),
    scenarios: z.array(ResultScenario),
    labels: z
      .array(z.object({ code: z.string(), message: z.string(), label: z.string().nullable() }))
      .describe("Remarks on the run, or on one entry of it."),
    repeat_command: z.string(),
  })
  .meta({ id: "Results" });
export type RunResults = z.infer<typeof RunResults>;
