import { z } from "zod";
import { MAX_TRIALS } from "../run-spec";
import { Count, Id, Label, Name, Quantity, Seed, Sha256, Slug } from "../scalar";
import { Scenario } from "../scenario";

/** An entry as it really competes. `key` is sha256 over server, folder content, options and label: series, history and colour hang on it. */
export const PlanEntry = z.strictObject({
  key: Sha256,
  label: Label,
  server: Slug,
  title: Name,
  content_hash: Sha256,
  options: z.record(Slug, z.int()),
  baseline: z.boolean(),
});

/** One entry, one scenario, one block. `position` is its place within the block. */
export const PlanTrial = z.strictObject({
  trial_id: Id,
  entry_key: Sha256,
  scenario: Slug,
  block: Count,
  position: Count,
  slices: z.int().min(1),
  warmup_s: Quantity,
  duration_s: Quantity,
});

/** The whole order, expanded by the agent from the seed before anything runs. */
export const Plan = z.strictObject({
  seed: Seed,
  /** The generator and the shuffle by name: docs/method.md states both, with golden vectors. */
  prng: z.literal("splitmix64"),
  shuffle: z.literal("fisher-yates"),
  entries: z.array(PlanEntry).min(1).max(16),
  scenarios: z.array(Scenario).min(1).max(32),
  trials: z.array(PlanTrial).min(1).max(MAX_TRIALS),
  /** Seconds that it should take, with start, verification and stop of each server. */
  planned_s: Quantity,
});

export type PlanEntry = z.infer<typeof PlanEntry>;
export type PlanTrial = z.infer<typeof PlanTrial>;
export type Plan = z.infer<typeof Plan>;
