import { z } from "zod";

const Spread = z.object({ estimate: z.number(), low: z.number(), high: z.number() });

const Trial = z.object({
  trial_id: z.string(),
  entry_key: z.string(),
  scenario: z.string(),
  block: z.number(),
  status: z.enum(["valid", "invalid", "failed", "cancelled"]),
  reasons: z.array(z.object({ message: z.string() })),
  labels: z.array(z.object({ code: z.string() })),
  limit: z.enum(["server-bound", "generator-bound", "nothing-saturated"]).nullable(),
  slices: z.array(z.unknown()),
  result: z
    .object({
      requests: z.number(),
      requests_per_s: z.number(),
      failures: z.object({ total: z.number() }),
      bytes_received: z.number().nullable(),
      offered: z.object({ rate_per_s: z.number(), requests: z.number(), dropped: z.number() }).nullable(),
      latency: z
        .object({
          mean_us: z.number().nullable(),
          percentiles: z.array(z.object({ p: z.number(), us: z.number() })),
        })
        .nullable(),
    })
    .nullable(),
  resources: z
    .object({
      server_cpu_us: z.number().nullable(),
      server_rss_peak_bytes: z.number().nullable(),
    })
    .nullable(),
});

const Scenario = z.object({
  id: z.string(),
  title: z.string(),
  tool: z.string(),
  load: z.object({ kind: z.string(), rate_per_s: z.number().optional() }),
  judged_by: z.enum(["requests_per_s", "p99_us", "cpu_us_per_request"]).nullish(),
});

/** What the bench reads of the object that `rigmark run --json` prints. */
export const Recorded = z.object({
  status: z.string(),
  plan: z.object({
    entries: z.array(z.object({ key: z.string(), label: z.string(), baseline: z.boolean() })),
    scenarios: z.array(Scenario),
  }),
  trials: z.array(Trial),
  summary: z.object({
    scenarios: z.array(
      z.object({
        scenario: z.string(),
        metric: z.string(),
        entries: z.array(
          z.object({
            entry_key: z.string(),
            verdict: z.enum(["faster", "slower", "no-difference", "not-comparable"]).nullable(),
            ratio: Spread.nullable(),
          }),
        ),
      }),
    ),
  }),
});
export type Recorded = z.infer<typeof Recorded>;
export type RecordedTrial = z.infer<typeof Trial>;

/** Of the entry that is not the baseline, under one scenario. */
export function judged(run: Recorded, scenario: string) {
  const baseline = run.plan.entries.find((entry) => entry.baseline)?.key;
  const of = run.summary.scenarios.find((each) => each.scenario === scenario);
  const entry = of?.entries.find((each) => each.entry_key !== baseline);
  return {
    metric: of?.metric ?? null,
    verdict: entry?.verdict ?? null,
    ratio: entry?.ratio ?? null,
  };
}

export const isDifference = (verdict: string | null): boolean => verdict === "faster" || verdict === "slower";
