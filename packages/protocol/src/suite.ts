import { z } from "zod";
import { RUN_RANGES } from "./run-ranges";
import { EntrySpec } from "./run-spec";
import { Label, Message, Name, Quantity, Slug, unique } from "./scalar";

/** A figure of the published report that the suite repeats: another machine, to compare shapes with and never ranked. */
export const Published = z.strictObject({
  scenario: Slug,
  /** As the report names it: "ANX", "fiber-net". */
  server: Name,
  /** Label of the suite's entry that stands for it; null when none does. */
  entry: Label.nullable(),
  requests_per_s: Quantity.nullable(),
  /** The mean that was published. */
  latency_us: Quantity.nullable(),
  note: Message.nullable(),
});

/** A named set of entries and scenarios. A file of `packages/scenarios/suites/`. */
export const Suite = z
  .strictObject({
    schema: z.literal(1),
    id: Slug,
    title: Name,
    summary: Message,
    /** The report that it repeats, and on what that was measured; null for a suite of our own. */
    source: z.strictObject({ title: Name, machine: Name }).nullable(),
    /** Of no commit: a suite is the same on every host. */
    entries: z
      .array(EntrySpec.omit({ revision: true }))
      .min(1)
      .max(RUN_RANGES.entries.max),
    /** Label of the entry that the others are compared with. */
    baseline: Label,
    scenarios: z.array(Slug).min(1).max(RUN_RANGES.scenarios.max),
    /** Blocks unless a run says otherwise. */
    repeats: z.int().min(RUN_RANGES.repeats.min).max(RUN_RANGES.repeats.max),
    /** Seconds of each trial; null takes each scenario's own. */
    duration_s: z.number().min(RUN_RANGES.duration_s.min).max(RUN_RANGES.duration_s.max).nullable(),
    published: z.array(Published).max(100),
    /** What the original got wrong or left open, and what is done about it here: a sentence each. */
    mended: z.array(Message).max(20),
  })
  .refine((s) => unique(s.entries.map((e) => e.label)), {
    message: "two entries have the same label",
    path: ["entries"],
  })
  .refine((s) => unique(s.scenarios), { message: "a scenario is named twice", path: ["scenarios"] })
  .refine((s) => s.entries.some((e) => e.label === s.baseline), {
    message: "the baseline is not one of the entries",
    path: ["baseline"],
  })
  .refine((s) => s.published.every((p) => s.scenarios.includes(p.scenario)), {
    message: "a published figure names a scenario that the suite does not have",
    path: ["published"],
  });

export type Published = z.infer<typeof Published>;
export type Suite = z.infer<typeof Suite>;
