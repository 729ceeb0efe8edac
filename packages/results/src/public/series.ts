import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { BoundSide } from "../view/summary";
import { RunBrief, Verdict } from "./run";
import { At, PageQuery } from "./scalar";

export const SeriesQuery = PageQuery.extend({
  label: z.string().min(1).max(80).describe("Label of the entry."),
  scenario: z.string().min(1).max(200).describe("Id of the scenario."),
  host: z.string().min(1).max(200).optional().describe("Id or exact name of a host; without it all hosts."),
});
export type SeriesQuery = z.infer<typeof SeriesQuery>;

export const SeriesItem = z
  .object({
    run: Id,
    ended_at: At.nullable(),
    host: z.object({ id: Id, name: z.string() }),
    metric: z.string().describe("What the scenario is judged by."),
    figure: z.number().nullable().describe("Median of the metric; null if it does not count."),
    bound: BoundSide.nullable().describe(
      "If the load tool was the bottleneck: whether the true figure is at least or at most this one.",
    ),
    ratio: z.number().nullable().describe("To the baseline of the same run."),
    low: z.number().nullable(),
    high: z.number().nullable(),
    ratio_bound: BoundSide.nullable().describe(
      "If the load tool was the bottleneck: whether the true ratio is at least or at most this one.",
    ),
    verdict: Verdict.nullable(),
    source: RunBrief.shape.source,
  })
  .meta({ id: "SeriesPoint" });
export type SeriesItem = z.infer<typeof SeriesItem>;
