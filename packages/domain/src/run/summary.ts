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

export const EntrySummary = z.object({
  entry_key: z.string(),
  /** The order of the medians; no verdict. */
  rank: z.int().nullable(),
  unranked_reason: z.string().nullable(),
  trials_valid: z.int(),
  trials_invalid: z.int(),
  requests_per_s: Spread.nullable(),
  /** Most trials were limited by the tool: written `≥ median`. */
  lower_bound: z.boolean(),
  limit: Limit.nullable(),
  cpu_us_per_request: Spread.nullable(),
  rss_peak_bytes: Spread.nullable(),
  bytes_per_request: Spread.nullable(),
  percentiles: z.array(
    z.object({ p: z.number(), us: Spread.nullable(), rankable: z.boolean(), note: z.string().nullable() }),
  ),
  ratio: z
    .object({ estimate: z.number(), low: z.number(), high: z.number(), confidence: z.number() })
    .nullable(),
  verdict: z.enum(["faster", "slower", "no-difference", "not-comparable"]).nullable(),
  sentence: z.string(),
});

export const ScenarioSummary = z.object({
  scenario: z.string(),
  metric: z.enum(["requests_per_s", "p99_us"]),
  /** Who was shown to be faster than every rival. Read it with `winnerKeyOf`. */
  winner_key: z.string().nullable(),
  /** Why there is no winner, in a few words. Absent in reports from before a winner had to be shown to be faster. */
  no_winner: z.string().nullable().optional(),
  /** Ranked first, in order. */
  entries: z.array(EntrySummary),
  sentence: z.string(),
});

export const RunSummary = z.object({
  schema: z.literal(1),
  sentence: z.string(),
  scenarios: z.array(ScenarioSummary),
});

export type Spread = z.infer<typeof Spread>;
export type EntrySummary = z.infer<typeof EntrySummary>;
export type ScenarioSummary = z.infer<typeof ScenarioSummary>;
export type RunSummary = z.infer<typeof RunSummary>;
