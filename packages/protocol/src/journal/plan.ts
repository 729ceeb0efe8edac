import { z } from "zod";
import { MAX_TRIALS } from "../run-ranges";
import {
  Count32,
  Id,
  Label,
  Name,
  Quantity,
  ScenarioRef,
  Seconds,
  Seed,
  Sha256,
  Slug,
  unique,
} from "../scalar";
import { Scenario } from "../scenario";

/** The commit that a server's folder was measured at, where it was named by its path and is in a git repository. */
export const Revision = z.strictObject({
  /** In hexadecimal: 40 digits, or 64 in a repository of SHA-256. */
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  /** What was asked for, such as `origin/main`; not there for the folder as it was. */
  ref: Name.optional(),
  /** The folder had changes that are in no commit. */
  dirty: z.boolean(),
  /** Where in its repository the folder is, such as `apps/server`; `.` for all of it. */
  folder: Name.optional(),
});

/** An entry as it really competes. `key` is sha256 over server, folder content, options and label: series, history and color hang on it. */
export const PlanEntry = z.strictObject({
  key: Sha256,
  label: Label,
  server: Slug,
  title: Name,
  content_hash: Sha256,
  options: z.record(Slug, z.int()),
  baseline: z.boolean(),
  revision: Revision.optional(),
});

/** One entry, one scenario, one block. `position` is its place within the block. */
export const PlanTrial = z.strictObject({
  trial_id: Id,
  entry_key: Sha256,
  scenario: ScenarioRef,
  block: Count32,
  position: Count32,
  slices: Count32.min(1),
  warmup_s: Seconds,
  duration_s: Seconds,
});

/** How many blocks a run has, and when it may end before the last of them. */
export const PlanBlocks = z.strictObject({
  least: Count32.min(1),
  most: Count32.min(1),
  /** After how many blocks the run is looked at; the last is `most`. One look: nothing ends it early. */
  looks: z.array(Count32.min(1)).min(1).max(100),
  precision: Quantity.nullable(),
});

/** The whole order, expanded by the agent from the seed before anything runs. */
export const Plan = z
  .strictObject({
    seed: Seed,
    /** The generator and the shuffle by name: docs/method.md states both, with golden vectors. */
    prng: z.literal("splitmix64"),
    shuffle: z.literal("fisher-yates"),
    entries: z.array(PlanEntry).min(1).max(16),
    scenarios: z.array(Scenario).min(1).max(32),
    trials: z.array(PlanTrial).min(1).max(MAX_TRIALS),
    /** Seconds that it should take, with start, verification and stop of each server. */
    planned_s: Seconds,
    /** `trials` has all blocks up to `most`; those that were not needed are not run. Null in older journals. */
    blocks: PlanBlocks.nullable().default(null),
    /** Blocks that take the place of those that the host disturbed, one scenario at a time; they are not in `planned_s`. */
    reserve: z.array(PlanTrial).max(MAX_TRIALS).default([]),
    /** After so many seconds of measuring no block is begun. */
    time_limit_s: Seconds.nullable().default(null),
  })
  .refine((p) => unique(p.entries.map((e) => e.key)), {
    message: "two entries have the same key",
    path: ["entries"],
  })
  .refine((p) => unique(p.scenarios.map((s) => s.id)), {
    message: "a scenario occurs twice",
    path: ["scenarios"],
  })
  .refine((p) => unique([...p.trials, ...p.reserve].map((t) => t.trial_id.toLowerCase())), {
    message: "two trials have the same id",
    path: ["trials"],
  })
  .refine(
    (p) => {
      const [keys, ids] = [new Set(p.entries.map((e) => e.key)), new Set(p.scenarios.map((s) => s.id))];
      return [...p.trials, ...p.reserve].every((t) => keys.has(t.entry_key) && ids.has(t.scenario));
    },
    { message: "a trial names an entry or a scenario that is not in the plan", path: ["trials"] },
  );

export type Revision = z.infer<typeof Revision>;
export type PlanEntry = z.infer<typeof PlanEntry>;
export type PlanTrial = z.infer<typeof PlanTrial>;
export type PlanBlocks = z.infer<typeof PlanBlocks>;
export type Plan = z.infer<typeof Plan>;
