/** The trials of a run: what `summarize` takes. `src/input.rs` is the same in Rust. */
import type { Limit, Load, Metric, Rounds, TrialStatus } from "./common";

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
