import { z } from "zod";

/** The responses of valid trials by time and by latency. */
export const LatencyOverTime = z.object({
  /** Where each band of latency begins, rising, and where the last one ends. */
  edges_us: z.array(z.number()),
  /** In the order of the run; times in seconds of load within the trial, without the turns of others between its slices. */
  columns: z.array(
    z.object({
      block: z.int(),
      from_s: z.number(),
      to_s: z.number(),
      /** Responses in each band. */
      counts: z.array(z.number()),
      /** Within which latency half of them came, and all: ends of bands; null of no response. */
      half_us: z.number().nullable(),
      all_us: z.number().nullable(),
    }),
  ),
});

/** Percentiles of all valid trials of an entry under a scenario together: their histograms are added, never averaged. */
export const LatencyCurve = z.object({
  scenario: z.string(),
  entry_key: z.string(),
  /** Valid trials whose histogram is in it. */
  trials: z.int(),
  /** Requests in it. */
  count: z.number(),
  max_us: z.number().nullable(),
  /** The coarsest step of the trials' tool. */
  resolution_us: z.number(),
  /** The tool added samples for "coordinated omission". */
  corrected: z.boolean(),
  /** `p` in percent, rising, as far as enough requests lie beyond it. */
  points: z.array(z.object({ p: z.number(), us: z.number() })),
  /** Why there is no point, or none that is higher. */
  note: z.string().nullable(),
  note_zh: z.string().nullable().default(null),
  /** Null where no trial tells; absent in reports from before it was asked. */
  over_time: LatencyOverTime.nullable().default(null),
});
/** Empty where the tool gives no histograms. */
export const RunCurves = z.object({ curves: z.array(LatencyCurve) });

export type LatencyOverTime = z.infer<typeof LatencyOverTime>;
export type LatencyCurve = z.infer<typeof LatencyCurve>;
export type RunCurves = z.infer<typeof RunCurves>;
