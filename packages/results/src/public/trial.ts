import { Id, Limit, Reason, Resources, ToolResult } from "@rigmark/protocol";
import { z } from "zod";
import { QUERY_POINTS } from "../points";
import { TrialState } from "../view/run";

export const TrialBrief = z
  .object({
    id: Id,
    label: z.string().describe("Of the entry."),
    scenario: z.string(),
    block: z.int().describe("From 0."),
    position: z.int().describe("Place within the block, from 0."),
    state: TrialState,
    reasons: z.array(Reason).describe("Why it is not valid."),
    labels: z.array(Reason),
    warmup_s: z.number(),
    duration_s: z.number(),
    limit: Limit.nullable().describe("What used up its processor time."),
    result: ToolResult.nullable().describe("What the load tool reported."),
    resources: Resources.nullable().describe("What the server, load tool and host used during the trial."),
  })
  .meta({ id: "Trial" });
export type TrialBrief = z.infer<typeof TrialBrief>;

export const SamplesQuery = z.object({
  points: z.coerce
    .number()
    .int()
    .min(QUERY_POINTS.least)
    .max(QUERY_POINTS.most)
    .default(QUERY_POINTS.default)
    .describe("Return at most about this many samples."),
});

const counter = z.array(z.number().nullable());

export const Samples = z
  .object({
    trial: Id,
    columns: z.array(z.string()).describe("Names of the columns below, in their order."),
    t_us: z.array(z.number()).describe("From the start of the measured window; negative during warm-up."),
    measured: z.array(z.boolean()),
    requests: counter.describe("As the load tool counted them."),
    loopback_bytes: counter,
    server_cpu_us: counter,
    server_rss_bytes: counter,
    tool_cpu_us: counter,
    thinned: z.boolean().describe("Samples were left out to fit `points`."),
  })
  .meta({
    id: "Samples",
    description:
      "Cumulative counters of one trial, one column each. Null: not known. The load tool is started again for the measured window.",
  });
export type Samples = z.infer<typeof Samples>;
