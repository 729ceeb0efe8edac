import { Limit } from "@rigmark/protocol";
import { z } from "zod";

/** The output of packages/stats, passed on and frozen in reports; see its INTERFACE.md. Never recomputed here. */
export const Spread = z.object({
  n: z.int(),
  median: z.number(),
  min: z.number(),
  max: z.number(),
  cv: z.number().nullable(),
});

/** What an entry answers for what it uses. Null where the host or the tool cannot tell. */
export const Efficiency = z.object({
  requests_per_s_per_core: Spread.nullable(),
  requests_per_s_per_mib: Spread.nullable(),
  energy_uj_per_request: Spread.nullable(),
  wire_bytes_per_request: Spread.nullable(),
});
const NO_EFFICIENCY = {
  requests_per_s_per_core: null,
  requests_per_s_per_mib: null,
  energy_uj_per_request: null,
  wire_bytes_per_request: null,
};

/** Over the valid trials that have it; null where none has. */
const ToolFigure = z.object({ n: z.int(), median: z.number() });
const ToolLatency = z.object({
  mean_us: ToolFigure.nullable(),
  stdev_us: ToolFigure.nullable(),
  min_us: ToolFigure.nullable(),
  max_us: ToolFigure.nullable(),
});
const NOTHING_PRINTED = { mean_us: null, stdev_us: null, min_us: null, max_us: null };

/** Trials beyond Tukey's fences, counted and never removed. */
export const Outliers = z.object({
  low_severe: z.int(),
  low_mild: z.int(),
  high_mild: z.int(),
  high_severe: z.int(),
});

/** The true figure is at least, or at most, so large. */
export const BoundSide = z.enum(["at-least", "at-most"]);

// What has a default is absent in reports from before it was there.
export const EntrySummary = z.object({
  entry_key: z.string(),
  /** The best rank that verdicts leave open; null where none shows a difference. Read it with `rankOf`. */
  rank: z.int().nullable(),
  /** The worst one. Absent in reports from before ranks needed a verdict: there `rank` is the order of the medians. */
  rank_to: z.int().nullable().optional(),
  /** Why its figures are compared with nobody's: the code, and the same in words. */
  unranked_code: z
    .enum([
      "failed-verification",
      "not-measured",
      "no-valid-trial",
      "offered-unknown",
      "tool-limit",
      "no-figure",
      "percentile-does-not-count",
      "single-requests",
    ])
    .nullable()
    .default(null),
  unranked_reason: z.string().nullable(),
  unranked_reason_zh: z.string().nullable().default(null),
  /** In how many of its valid trials it did not sustain the rate; null where it did, and where none was fixed. */
  not_sustained: z
    .object({ trials: z.int(), of: z.int(), words: z.string(), words_zh: z.string() })
    .nullable()
    .default(null),
  /** Its trials, valid or not; `counts`: the trial's figure is in the median and in the ratio. */
  trials: z
    .array(
      z.object({
        trial_id: z.string(),
        counts: z.boolean(),
        /** What the load tool's being the limit of the trial makes of that figure. */
        bound: BoundSide.nullable().default(null),
        cpu_us_per_request: z.number().nullable(),
      }),
    )
    .default([]),
  /** Blocks in which the figures of the entry and of the baseline count; null for the baseline. */
  blocks_in_common: z.int().nullable().default(null),
  /** What the load tool's being the limit makes of `ratio`. */
  ratio_bound: BoundSide.nullable().default(null),
  trials_valid: z.int(),
  trials_invalid: z.int(),
  requests_per_s: Spread.nullable(),
  /** Half of the valid trials or more were limited by the tool: written `≥ median`. */
  lower_bound: z.boolean(),
  /** What that makes of its latencies. Absent in summaries from before it was said. */
  latency_bound: BoundSide.nullable().optional(),
  /** A lower bound that another entry has too: what differs there is noise or the tool, not the servers. */
  shared_ceiling: z.boolean().default(false),
  limit: Limit.nullable(),
  /** Cores that the server kept busy. */
  server_cpu_cores: Spread.nullable().default(null),
  /** As the tool printed it, beside percentiles. */
  tool_latency: ToolLatency.default(NOTHING_PRINTED),
  /** Why it is not known what a request costs; null where it is. */
  no_cpu_code: z
    .enum(["not-measured", "no-valid-trial", "search", "too-few-requests", "not-read"])
    .nullable()
    .default(null),
  cpu_us_per_request: Spread.nullable(),
  rss_peak_bytes: Spread.nullable(),
  bytes_per_request: Spread.nullable(),
  efficiency: Efficiency.default(NO_EFFICIENCY),
  percentiles: z.array(
    z.object({
      p: z.number(),
      us: Spread.nullable(),
      rankable: z.boolean(),
      /** Why it does not count, counts in some trials only, or counts and does not rank: the code, and the same in words. */
      note_code: z
        .enum([
          "counts-in-some",
          "no-valid-trial",
          "closed-loop",
          "at-found-rate",
          "not-printed",
          "not-a-time",
          "too-few-requests",
          "lost",
          "unknown",
        ])
        .nullable()
        .default(null),
      note: z.string().nullable(),
      note_zh: z.string().nullable().default(null),
    }),
  ),
  ratio: z
    .object({ estimate: z.number(), low: z.number(), high: z.number(), confidence: z.number() })
    .nullable(),
  verdict: z.enum(["faster", "slower", "no-difference", "not-comparable"]).nullable(),
  /** How large the difference is against the noise from block to block. */
  effect: z.number().nullable().default(null),
  outliers: Outliers.nullable().default(null),
  sentence: z.string(),
  /** The same in Chinese; empty where there is none. */
  sentence_zh: z.string().default(""),
});

const Rounds = z.object({ measured: z.int(), left_out: z.int() });

/** Why no difference was shown under a scenario. */
export const NoVerdict = z.object({
  code: z.enum([
    "nothing-to-compare",
    "failed-verification",
    "baseline-failed-verification",
    "too-few-blocks-asked",
    "host-noisy",
    "blocks-missing",
    "blocks-invalid",
    "tool-limit",
    "rate-not-sustained",
    "no-figure",
    "no-spread",
    "too-uncertain",
    "no-difference",
  ]),
  entry_key: z.string().nullable(),
  /** With `tool-limit`: whom the tool was the bottleneck of. */
  limited: z.array(z.string()),
  /** With `no-difference`: the smallest that would have been shown with the chance `power`; 0.031 is 3.1 %. */
  difference: z.number().nullable(),
  power: z.number().nullable(),
  reason: z.string().nullable(),
  reason_zh: z.string().nullable().default(null),
  sentence: z.string(),
  sentence_zh: z.string(),
});

/** Which blocks of a scenario count, and what became of the others. */
export const Blocks = z.object({
  needed: z.int(),
  asked: z.int().nullable(),
  measured: z.int(),
  counted: z.int(),
  disturbed: z.int(),
  steal_max: z.number().nullable(),
  /** Null in summaries from before it was kept. */
  others_max: z.number().nullable().default(null),
  rounds: Rounds.nullable(),
  sentence: z.string().nullable(),
  sentence_zh: z.string().nullable(),
});

export const ScenarioSummary = z.object({
  scenario: z.string(),
  /** What ranks; `first_byte_p50_us`, which ranks nowhere, where single requests are timed to the first byte. */
  metric: z.enum(["requests_per_s", "p99_us", "cpu_us_per_request", "first_byte_p50_us"]),
  /** Who was shown to be faster than every rival. Read it with `winnerKeyOf`. */
  winner_key: z.string().nullable(),
  /** Why there is no winner; null where there is one, and in reports from before it was said as a code. */
  no_winner_code: z
    .enum([
      "nothing-ranked",
      "rate-not-sustained",
      "nothing-to-compare",
      "no-verdict",
      "too-few-blocks",
      "no-difference",
      "not-comparable",
      "equal-medians",
      "medians-and-ratios-disagree",
      "single-requests",
    ])
    .nullable()
    .default(null),
  /** The same in a few words. Absent in reports from before a winner had to be shown to be faster. */
  no_winner: z.string().nullable().optional(),
  no_winner_zh: z.string().nullable().default(null),
  /** Why no difference was shown between any two; null where one was, and in reports from before it was said. */
  no_verdict: NoVerdict.nullable().default(null),
  blocks: Blocks.nullable().default(null),
  /** By rank, then those without one: the baseline, then as they were declared. Read it with `entriesOf`. */
  entries: z.array(EntrySummary),
  sentence: z.string(),
  sentence_zh: z.string().default(""),
});

export const RunSummary = z.object({
  schema: z.literal(1),
  sentence: z.string(),
  sentence_zh: z.string().default(""),
  scenarios: z.array(ScenarioSummary),
});

export type Spread = z.infer<typeof Spread>;
export type Efficiency = z.infer<typeof Efficiency>;
export type BoundSide = z.infer<typeof BoundSide>;
export type Outliers = z.infer<typeof Outliers>;
export type NoVerdict = z.infer<typeof NoVerdict>;
export type Blocks = z.infer<typeof Blocks>;
export type EntrySummary = z.infer<typeof EntrySummary>;
export type ScenarioSummary = z.infer<typeof ScenarioSummary>;
export type RunSummary = z.infer<typeof RunSummary>;
