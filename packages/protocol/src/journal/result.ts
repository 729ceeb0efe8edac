import { z } from "zod";
import { Count, Message, Name, Quantity, Slug } from "../scalar";
import { ToolName } from "../scenario";

export const Percentile = z.strictObject({
  /** In percent: 50, 97.5, 99.9. */
  p: z.number().min(0).max(100),
  us: Quantity,
});

/** Latency as the tool printed it; what it did not print is null. */
export const Latency = z.strictObject({
  mean_us: Quantity.nullable(),
  min_us: Quantity.nullable(),
  max_us: Quantity.nullable(),
  stdev_us: Quantity.nullable(),
  percentiles: z.array(Percentile).max(200),
  /** The finest step that the source can show, in µs. */
  resolution_us: Quantity,
  /** True when the tool added samples for "coordinated omission". */
  corrected: z.boolean(),
  /** Half the width of the 95 % interval of the mean over all samples; null where the tool keeps no samples. */
  mean_ci95_us: Quantity.nullable().default(null),
  /** Samples beyond Tukey's inner fences (1.5 × the interquartile range), as criterion counts them. */
  outliers: Count.nullable().default(null),
  /** Where in the tool's output it came from, such as `ab -e`. */
  source: Name,
});

/** Failures by kind; null where the tool does not tell that kind apart. */
export const Failures = z.strictObject({
  connect: Count.nullable(),
  read: Count.nullable(),
  write: Count.nullable(),
  timeout: Count.nullable(),
  status: Count.nullable(),
  length: Count.nullable(),
  /** Of the right length, and other bytes than they should be. Only a tool that compares them tells. */
  content: Count.nullable().default(null),
  other: Count.nullable(),
  /** All failed requests, each counted once. */
  total: Count,
});

/**
 * How the search of a `knee` load went, step by step. `above-most`: the highest rate that was allowed still held, so the knee
 * is above it. `below-start`: the first rate did not hold; `unconfirmed`: no rate held for longer. Neither gives a rate.
 */
export const KneeSearch = z.strictObject({
  end: z.enum(["found", "above-most", "below-start", "unconfirmed"]),
  p99_bound_us: z.int().min(1).max(60_000_000),
  steps: z
    .array(
      z.strictObject({
        rate_per_s: z.int().min(1),
        duration_s: Quantity,
        /** Null where too few requests were answered for it. */
        p99_us: Quantity.nullable(),
        /** (Dropped + failed) ÷ offered. */
        lost_ratio: Quantity.nullable(),
        /** (Never sent + sent late) ÷ offered; null in older journals. */
        unsent_ratio: Quantity.nullable().default(null),
        /** Cores that the server used meanwhile; null where the kernel did not tell, and in older journals. */
        server_cores: Quantity.nullable().default(null),
        held: z.boolean(),
      }),
    )
    .max(64),
});

/** What one run of a tool said. Made by a pure parser from the raw output, which is kept beside it. */
export const ToolResult = z.strictObject({
  tool: ToolName,
  tool_version: Name.nullable(),
  /** Length of the window that the tool measured. */
  duration_us: Count,
  /** Requests that were answered, right or wrong. */
  requests: Count,
  failures: Failures,
  /** Bytes from the server as the tool counts them; `bytes_scope` says whether headers are in. */
  bytes_received: Count.nullable(),
  bytes_scope: z.enum(["body", "total"]).nullable(),
  requests_per_s: Quantity,
  latency: Latency.nullable(),
  /** For fixed-rate load: what was meant to be sent, and what was not. */
  offered: z.strictObject({ rate_per_s: Quantity, requests: Count, dropped: Count }).nullable(),
  /** Requests by status class, such as {"2xx": 100}; null where the tool does not say. */
  statuses: z.record(z.string().max(8), Count).nullable(),
  thresholds_crossed: z.array(Message).max(20),
  /** Connections that were really established; null where the tool does not say. */
  connections: Count.nullable().default(null),
  /** Of a `knee` load: the other figures are those of the step that confirmed the rate. */
  knee: KneeSearch.optional(),
});

/** Why a trial is invalid, or what a reader must know about it. */
export const Reason = z.strictObject({ code: Slug, message: Message });

/** What the trial cost, from the kernel's counters over the measured window. */
export const Resources = z.strictObject({
  window_us: Count,
  server_cpu_us: Count.nullable(),
  tool_cpu_us: Count.nullable(),
  server_rss_peak_bytes: Count.nullable(),
  server_threads_max: Count.nullable(),
  server_context_switches: Count.nullable(),
  loopback_bytes: Count.nullable(),
  host_steal_ratio: z.number().min(0).max(1).nullable(),
  /** Steal and the CPU time of other programs, of all cores' time. */
  host_taken_ratio: z.number().min(0).max(1).nullable().default(null),
  temperature_max_millic: z.int().nullable(),
  /** Cores that the server and the tool could use: the ceiling of each. */
  server_cpus: Count.nullable(),
  tool_cpus: Count.nullable(),
  /** Of the whole package or board over the measured window; null where the host cannot tell. */
  energy_uj: Count.nullable().default(null),
  /** More of the server, by the name that it has in `packages/metrics`; what is unknown is not there. */
  counters: z.record(Slug, Count).optional(),
});

export const Limit = z.enum(["server-bound", "generator-bound", "nothing-saturated"]);
export const TrialStatus = z.enum(["valid", "invalid", "failed", "cancelled"]);

export type Latency = z.infer<typeof Latency>;
export type Percentile = z.infer<typeof Percentile>;
export type Failures = z.infer<typeof Failures>;
export type KneeSearch = z.infer<typeof KneeSearch>;
export type ToolResult = z.infer<typeof ToolResult>;
export type Reason = z.infer<typeof Reason>;
export type Resources = z.infer<typeof Resources>;
export type Limit = z.infer<typeof Limit>;
export type TrialStatus = z.infer<typeof TrialStatus>;
