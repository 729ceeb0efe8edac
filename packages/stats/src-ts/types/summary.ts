/** What `summarize` gives. `src/summary.rs` is the same in Rust. */
import type { BoundSide, Limit, Metric, Ratio, Rounds, Spread, Verdict } from "./common";

export type PercentileNoteCode =
  | "counts-in-some"
  | "no-valid-trial"
  | "closed-loop"
  | "at-found-rate"
  | "not-printed"
  | "not-a-time"
  | "too-few-requests"
  | "lost"
  | "unknown";

export type PercentileSummary = {
  p: number;
  /** Over the trials in which it counts. */
  us: Spread | null;
  rankable: boolean;
  /** Why it does not count, counts in some trials only, or counts and does not rank; null where it ranks. */
  note_code: PercentileNoteCode | null;
  /** The same in words. */
  note: string | null;
  note_zh: string | null;
};

/** For each unit of what the server uses; null where it was not measured. */
export type Efficiency = {
  requests_per_s_per_core: Spread | null;
  /** A lower bound where the rate is one. */
  requests_per_s_per_mib: Spread | null;
  energy_uj_per_request: Spread | null;
  wire_bytes_per_request: Spread | null;
};

/** Values beyond Tukey's fences: mild ones 1.5, severe ones 3 interquartile ranges outside the quartiles. */
export type Outliers = { low_severe: number; low_mild: number; high_mild: number; high_severe: number };

export type UnrankedCode =
  | "failed-verification"
  | "not-measured"
  | "no-valid-trial"
  | "offered-unknown"
  | "tool-limit"
  | "no-figure"
  | "percentile-does-not-count"
  | "single-requests";

/** `words`: `rate not sustained in 3 of 5 trials`. */
export type NotSustained = { trials: number; of: number; words: string; words_zh: string };

/** `counts`: whether its figure of the scenario's metric is in the median and in the ratio. */
export type TrialFigures = {
  trial_id: string;
  counts: boolean;
  /** What the load tool's being the limit of the trial makes of that figure. */
  bound: BoundSide | null;
  cpu_us_per_request: number | null;
};

/** A figure over the valid trials that have it; of an even number `median` is the lower one in the middle. */
export type ToolFigure = { n: number; median: number };

/** What a tool prints of latency beside percentiles; null where no valid trial has it. */
export type ToolLatency = {
  mean_us: ToolFigure | null;
  stdev_us: ToolFigure | null;
  min_us: ToolFigure | null;
  max_us: ToolFigure | null;
};

export type EntrySummary = {
  entry_key: string;
  /** The best rank that verdicts leave open, 1 being the best; null where no verdict shows a difference. */
  rank: number | null;
  /** The worst one; null where `rank` is. */
  rank_to: number | null;
  /** Why its figures are compared with nobody's; null when they are. */
  unranked_code: UnrankedCode | null;
  /** The same in words. */
  unranked_reason: string | null;
  unranked_reason_zh: string | null;
  /** Valid trials in which it did not sustain the rate; null where it did, and where none was fixed. */
  not_sustained: NotSustained | null;
  /** Its trials, valid or not, by block. */
  trials: TrialFigures[];
  /** Blocks in which the figures of the entry and of the baseline count; null for the baseline itself. */
  blocks_in_common: number | null;
  /** What the load tool's being the limit makes of `ratio`. */
  ratio_bound: BoundSide | null;
  trials_valid: number;
  trials_invalid: number;
  requests_per_s: Spread | null;
  /** Generator-bound in at least half of the valid trials: written `≥ median`. */
  lower_bound: boolean;
  /** What that makes of its latencies: at a fixed rate the tool's own delay is in each. */
  latency_bound: BoundSide | null;
  /** A lower bound that another entry has too: what differs there is noise or the tool. */
  shared_ceiling: boolean;
  limit: Limit | null;
  /** Cores that the server kept busy. */
  server_cpu_cores: Spread | null;
  tool_latency: ToolLatency;
  /** Why it is not known what a request costs; null where it is. `search`: its counters are of all steps together. */
  no_cpu_code: "not-measured" | "no-valid-trial" | "search" | "too-few-requests" | "not-read" | null;
  cpu_us_per_request: Spread | null;
  rss_peak_bytes: Spread | null;
  bytes_per_request: Spread | null;
  efficiency: Efficiency;
  /** 50, 90, 97.5, 99, 99.9. */
  percentiles: PercentileSummary[];
  ratio: Ratio | null;
  verdict: Verdict | null;
  /** Hedges' g of the within-block log-ratios, with their sign; null below 5 blocks. */
  effect: number | null;
  /** Among the trials' values of the scenario's metric; null for fewer than 5. */
  outliers: Outliers | null;
  sentence: string;
  /** The same in Chinese. */
  sentence_zh: string;
};

export type NoVerdictCode =
  | "nothing-to-compare"
  | "failed-verification"
  | "baseline-failed-verification"
  | "too-few-blocks-asked"
  | "host-noisy"
  | "blocks-missing"
  | "blocks-invalid"
  | "tool-limit"
  | "rate-not-sustained"
  | "no-figure"
  | "no-spread"
  | "too-uncertain"
  | "no-difference";

/** Why no difference was shown under a scenario. */
export type NoVerdict = {
  code: NoVerdictCode;
  /** Which entry it is about. */
  entry_key: string | null;
  /** With `tool-limit`: those of the two that the tool was the bottleneck of. */
  limited: string[];
  /** With `no-difference`: the smallest that would have been shown with the chance `power`; 0.031 is 3.1 %. */
  difference: number | null;
  power: number | null;
  /** With `blocks-invalid` and `no-figure`. */
  reason: string | null;
  /** The same in Chinese, where it is not text from elsewhere. */
  reason_zh: string | null;
  /** What it is, and what to do. */
  sentence: string;
  sentence_zh: string;
};

/** Blocks of a scenario; those that count are of the comparison that its sentence is about. */
export type Blocks = {
  needed: number;
  asked: number | null;
  measured: number;
  counted: number;
  /** Of those that do not count: disturbed by the host. */
  disturbed: number;
  steal_max: number | null;
  /** The largest share of all cores' time that programs beside the run used during a trial in them. */
  others_max: number | null;
  /** In the blocks that count. */
  rounds: Rounds | null;
  /** Which do not count and why; null where all count. */
  sentence: string | null;
  sentence_zh: string | null;
};

export type NoWinnerCode =
  | "nothing-ranked"
  | "rate-not-sustained"
  | "nothing-to-compare"
  | "no-verdict"
  | "too-few-blocks"
  | "no-difference"
  | "not-comparable"
  | "equal-medians"
  | "medians-and-ratios-disagree"
  | "single-requests";

export type ScenarioSummary = {
  scenario: string;
  metric: Metric;
  /** The one entry of rank 1, when verdicts show it faster than every rival. */
  winner_key: string | null;
  /** Why there is no winner; null when there is one. */
  no_winner_code: NoWinnerCode | null;
  /** The same in a few words such as `no difference shown`. */
  no_winner: string | null;
  no_winner_zh: string | null;
  /** Why no difference was shown between any two; null when one was. */
  no_verdict: NoVerdict | null;
  /** null without an entry. */
  blocks: Blocks | null;
  /** By rank, then those without one: the baseline, then as they were declared. */
  entries: EntrySummary[];
  sentence: string;
  sentence_zh: string;
};

export type Summary = { schema: 1; sentence: string; sentence_zh: string; scenarios: ScenarioSummary[] };
