/** What goes in and comes out: INTERFACE.md, field by field. `src/input.rs` and `src/summary.rs` are the same in Rust. */

/** `knee`: a search for the highest fixed rate that keeps a bound of latency; what it found is the trial's throughput. */
export type Load = "closed" | "count" | "rate" | "knee";
export type TrialStatus = "valid" | "invalid" | "failed" | "cancelled";
export type Limit = "server-bound" | "generator-bound" | "nothing-saturated";
export type Verdict = "faster" | "slower" | "no-difference" | "not-comparable";
/**
 * What ranks: requests a second, the 99th percentile of latency in µs, or the server's CPU time a request in µs.
 * `first_byte_p50_us`, of single requests in a closed loop that are timed to the first byte, is shown and ranks nobody.
 */
export type Metric = "requests_per_s" | "p99_us" | "cpu_us_per_request" | "first_byte_p50_us";

export type EntryInput = { key: string; label: string };

export type ScenarioInput = {
  id: string;
  title: string;
  tool: string;
  load: Load;
  rate_per_s: number | null;
  /** What entries are compared by, where the load allows it; without it throughput, or p99 at a fixed rate. */
  judged_by?: Metric | null;
  /** Where latency ends; without it at the last byte. */
  latency_until?: "first-byte" | "last-byte" | null;
  /** Without them it is not known how many requests were under way when a window ended. */
  connections?: number | null;
  /** Requests that each connection has under way at a time; without it 1. */
  in_flight?: number | null;
};

export type TrialInput = {
  trial_id: string;
  entry_key: string;
  /** The id of the scenario. */
  scenario: string;
  block: number;
  status: TrialStatus;
  /** The first reason's message when not valid. */
  reason: string | null;
  limit: Limit | null;
  /** Requests that were answered, right or wrong. */
  requests: number | null;
  requests_per_s: number | null;
  failures_total: number | null;
  /** `requests` were meant to be sent, `dropped` of them never were. */
  offered: { rate_per_s: number; requests: number; dropped: number } | null;
  /** Over the measured window. */
  server_cpu_us: number | null;
  server_rss_peak_bytes: number | null;
  bytes_received: number | null;
  /** Windows of load; null or absent counts as one. */
  windows?: number | null;
  /** `p` in percent. */
  percentiles: { p: number; us: number }[];
  mean_us: number | null;
  /** The rest that tools print of latency. */
  stdev_us?: number | null;
  min_us?: number | null;
  max_us?: number | null;
  /** How long it was measured. */
  window_us?: number | null;
  /** Of the whole package or board over the measured window. */
  energy_uj?: number | null;
  /** On the trial's own loopback over the measured window. */
  loopback_bytes?: number | null;
  /** The first reason's code when not valid. `host-disturbed`: the host's doing. */
  reason_code?: string | null;
  /** Share of the time that the hypervisor took while it was measured. */
  steal_ratio?: number | null;
  /** Share of all cores' time that the host took while it was measured: steal and other programs. */
  taken_ratio?: number | null;
  /** Of a trial in slices: a round is a slice of each entry. `left_out` are among those that were `measured`. */
  rounds?: Rounds | null;
};

export type Rounds = { measured: number; left_out: number };

export type SummaryInput = {
  schema: 1;
  /** null: the first entry. */
  baseline_key: string | null;
  entries: EntryInput[];
  scenarios: ScenarioInput[];
  trials: TrialInput[];
  /** Never ranked. */
  failed_verification: { entry_key: string; scenario?: string | null; reason: string }[];
  /** How often the run may be looked at before it ends; without it once. The error level is divided by it. */
  looks?: number;
  /** How many blocks the run asked for. */
  blocks_asked?: number | null;
};

/** In the unit of its figure; `cv` as a ratio, null for one value. */
export type Spread = { n: number; median: number; min: number; max: number; cv: number | null };

/** Entry ÷ baseline of the scenario's metric: for p99 a ratio below 1 is the faster one. */
export type Ratio = { estimate: number; low: number; high: number; confidence: number };

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

/** A figure or a ratio that is a bound: the true one is at least, or at most, so large. */
export type BoundSide = "at-least" | "at-most";

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
  /** With `tool-limit`: those of the two that the tool was the limit of. */
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

/** Histograms of an entry's trials, and the requests of these trials: dropped, late and failed ones are in no histogram. */
export type CurveInput = {
  blobs: readonly string[];
  trials?: readonly {
    requests: number;
    failures_total: number;
    /** `requests` were meant to be sent at a fixed rate, `dropped` of them never were. */
    offered: { requests: number; dropped: number } | null;
  }[];
};

/** The latencies of several trials together. */
export type Curve = {
  count: number;
  /** null without a latency. */
  max_us: number | null;
  /** `p` in percent, rising: nine steps for each nine up to 99.99, and 25, 75, 97.5; only where count × (1 − q) ≥ 10. */
  points: { p: number; us: number }[];
  /** Why there is no point, or none for the highest percentiles; null when all are there. */
  note: string | null;
  note_zh: string | null;
};

/** Entries in two runs on one host, and what its earlier runs say about the variation between runs. */
export type BetweenRunsInput = {
  schema: 1;
  pairs: readonly {
    key: string;
    scenario: string;
    /** As `history` calls it. */
    host: string;
    metric: Metric;
    /** Medians of the metric in its unit; the ratio is b ÷ a. */
    a: number | null;
    b: number | null;
    /** The tool was the limit of one of them. */
    bound: boolean;
    same_environment: boolean;
  }[];
  /** Medians of one entry under one scenario, a run each: the same build, host and environment. */
  history: readonly { scenario: string; host: string; medians: number[] }[];
};

export type NoVerdictBetween =
  | "not-ranked"
  | "no-figure"
  | "tool-limit"
  | "environment-differs"
  | "too-little-history";

export type PairSummary = {
  key: string;
  /** null where one is unknown or a bound. */
  ratio_of_medians: number | null;
  /** With the variation between runs in its interval; null without a verdict. */
  ratio: Ratio | null;
  verdict: Verdict | null;
  code: NoVerdictBetween | null;
  /** Runs that the interval rests on; without a verdict the most that one build has. */
  history_runs: number;
  /** Why there is no verdict, and what to do; null with one. */
  reason: string | null;
  reason_zh: string | null;
  sentence: string;
  sentence_zh: string;
};

export type BetweenRuns = { schema: 1; pairs: PairSummary[] };

/** One series over time: an entry under a scenario on a host, a run each, oldest first. */
export type ChangesInput = {
  schema: 1;
  metric: Metric;
  /** Label of the entry that the figures are divided by; null for the figures themselves. */
  relative_to: string | null;
  points: readonly {
    /** Median of the metric in its unit; null where the run has none that counts. */
    figure: number | null;
    /** The same of the entry `relative_to` in the same run. */
    relative: number | null;
    /** Fingerprint of the environment. */
    environment: string | null;
  }[];
};

export type Change = {
  /** Place of the first point after the change, and of the one that showed it. */
  at: number;
  found_at: number;
  values_before: number;
  values_after: number;
  /** Medians of the figures, or of the ratios. */
  before: number;
  after: number;
  /** after ÷ before */
  ratio: number;
  verdict: "faster" | "slower";
  environment_changed: boolean;
  sentence: string;
  sentence_zh: string;
};

export type Changes = {
  schema: 1;
  /** By point: the figure, or the ratio. */
  values: (number | null)[];
  changes: Change[];
  /** How many values there must be before a change can be found. */
  least_values: number;
  sentence: string;
  sentence_zh: string;
};
