import { Id, Load, Source, ToolName, Workload } from "@rigmark/protocol";
import { z } from "zod";
import { Moment } from "./scalar";

/** An entry under a scenario on a host, followed over runs. Entries are matched by label. */
export const HistorySeries = z.object({
  host: z.object({ host_id: Id, name: z.string() }),
  scenario: z.string(),
  title: z.string(),
  label: z.string(),
  server: z.string(),
  /** Runs that have it, and when the newest of them was queued. */
  runs: z.int(),
  newest_at: Moment,
});

export const HistoryList = z.object({
  /** Those of the newest runs first. */
  series: z.array(HistorySeries),
  next_cursor: z.string().nullable(),
});

/** A run in the history of a series. */
export const HistoryPoint = z.object({
  run_id: Id,
  title: z.string(),
  created_at: Moment,
  source: Source.nullable(),
  /** The build or the options are not those of the run before. */
  entry_changed: z.boolean(),
  /** The same of the entry that the values are ratios to, against the newest run before that has it. */
  relative_changed: z.boolean(),
  /** The environment is not that of the run before, or one of the two is unknown. */
  environment_changed: z.boolean(),
  /**
   * The figure, or its ratio to the other entry: the run's own ratio where that is its baseline, else the quotient of the two
   * medians. Null where unknown, or where the load tool was the bottleneck.
   */
  value: z.number().nullable(),
  /** Between which values it lies: the interval of the run's own ratio, or the range over the trials; null where there is none. */
  low: z.number().nullable(),
  high: z.number().nullable(),
});

export const HistoryChange = z.object({
  /** Places of the first point after the change, and of the one that showed it. */
  at: z.int(),
  found_at: z.int(),
  before: z.number(),
  after: z.number(),
  ratio: z.number(),
  verdict: z.enum(["faster", "slower"]),
  sentence: z.string(),
});

/** A picture of the newest value, for whoever has its address. */
export const HistoryBadge = z.object({ badge_id: Id, url: z.url() });
/** Badges of one workspace. */
export const MOST_BADGES = 100;

export const HistoryView = z.object({
  series: HistorySeries,
  tool: ToolName,
  workload: Workload,
  load: Load,
  metric: z.enum(["requests_per_s", "p99_us", "cpu_us_per_request", "first_byte_p50_us"]),
  /** Label of the entry that the values are ratios to; null for the figures themselves. */
  relative_to: z.string().nullable(),
  /** Labels that they can be ratios to: the other entries of the newest run. */
  others: z.array(z.string()),
  /** Oldest first. */
  points: z.array(HistoryPoint),
  changes: z.array(HistoryChange),
  /** How many changes there are, or why none can be found. */
  sentence: z.string(),
  /** Runs that are not shown: their load is not that of the newest run. */
  other_load: z.int(),
  /** Of these values; null: nobody made one. */
  badge: HistoryBadge.nullable(),
});

export type HistorySeries = z.infer<typeof HistorySeries>;
export type HistoryList = z.infer<typeof HistoryList>;
export type HistoryPoint = z.infer<typeof HistoryPoint>;
export type HistoryChange = z.infer<typeof HistoryChange>;
export type HistoryBadge = z.infer<typeof HistoryBadge>;
export type HistoryView = z.infer<typeof HistoryView>;
