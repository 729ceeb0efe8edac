import { z } from "zod";
import { MAX_TRIALS, RUN_RANGES } from "./run-ranges";
import { Label, Reference, ScenarioRef, Seed, Slug } from "./scalar";

/** A server as it is asked to compete. Option values are integers within the range of its `server.toml`. */
export const EntrySpec = z.strictObject({
  label: Label,
  server: Slug,
  options: z.record(Slug, z.int()),
  /**
   * The commit, branch or tag of the git clone that the host's owner has the server in; absent for the folder as it is. Only for
   * servers whose catalogue says `revisions`: agents from before know no such field.
   */
  revision: Reference.optional(),
});

/** How many trials a run comes to. */
export const trialsOf = (s: { entries: unknown[]; scenarios: unknown[]; repeats: number }): number =>
  s.entries.length * s.scenarios.length * s.repeats;

/**
 * What is queued: names and numbers within ranges. There is no URL and no command in it, so a control plane
 * cannot make a host run anything that the host does not already have. A revision is looked up in a clone that the host's owner
 * made; whether anything is fetched into it, and from where, the owner says there.
 */
export const RunSpec = z
  .strictObject({
    schema: z.literal(1),
    title: z.string().max(120),
    entries: z.array(EntrySpec).min(RUN_RANGES.entries.min).max(RUN_RANGES.entries.max),
    scenarios: z.array(ScenarioRef).min(RUN_RANGES.scenarios.min).max(RUN_RANGES.scenarios.max),
    /** Blocks of each scenario. */
    repeats: z.int().min(RUN_RANGES.repeats.min).max(RUN_RANGES.repeats.max),
    /** Measured seconds of a trial; null takes each scenario's own. */
    duration_s: z.number().min(RUN_RANGES.duration_s.min).max(RUN_RANGES.duration_s.max).nullable(),
    warmup_s: z.number().min(RUN_RANGES.warmup_s.min).max(RUN_RANGES.warmup_s.max).nullable(),
    /** Label of the entry that the others are compared with; null is the first. */
    baseline: Label.nullable(),
    seed: Seed,
    /** The suite that it was made from: reports lay it out as that one's. The entries and scenarios above are what counts. */
    suite: Slug.nullable().default(null),
    /** Seconds of a slice; null takes the agent's own where the tool can do short ones, 0 asks for whole trials. */
    slice_s: z
      .number()
      .refine((s) => s === 0 || (s >= RUN_RANGES.slice_s.min && s <= RUN_RANGES.slice_s.max), {
        message: `a slice lasts ${RUN_RANGES.slice_s.min} to ${RUN_RANGES.slice_s.max} s, or 0 for whole trials`,
      })
      .nullable()
      .default(null),
    /**
     * Blocks are added until each ratio is known within a factor of 1 ± so much; null: `repeats` blocks, neither more nor
     * fewer.
     */
    precision: z
      .number()
      .min(RUN_RANGES.precision.min)
      .max(RUN_RANGES.precision.max)
      .nullable()
      .default(null),
    /** The stated limit of blocks with a precision; null: four times `repeats` and at least five, as far as a run may be. */
    max_repeats: z.int().min(RUN_RANGES.repeats.min).max(RUN_RANGES.repeats.max).nullable().default(null),
    /** After so many seconds no block is begun. Absent where there is no limit: agents from before know no such field. */
    time_limit_s: z.number().min(RUN_RANGES.time_limit_s.min).max(RUN_RANGES.time_limit_s.max).optional(),
    /**
     * Tune the host for the run. Only on a host whose facts say that its owner allows it; the agent refuses it otherwise, and
     * agents from before know no such field.
     */
    tune: z.literal(true).optional(),
  })
  .refine((s) => new Set(s.entries.map((e) => e.label)).size === s.entries.length, {
    message: "two entries have the same label",
    path: ["entries"],
  })
  .refine((s) => new Set(s.scenarios).size === s.scenarios.length, {
    message: "a scenario is named twice",
    path: ["scenarios"],
  })
  .refine((s) => s.baseline === null || s.entries.some((e) => e.label === s.baseline), {
    message: "the baseline is not one of the entries",
    path: ["baseline"],
  })
  .refine((s) => s.max_repeats === null || (s.precision !== null && s.max_repeats >= s.repeats), {
    message: "a limit of blocks needs a precision, and must not be below the repeats",
    path: ["max_repeats"],
  })
  .refine((s) => trialsOf({ ...s, repeats: s.max_repeats ?? s.repeats }) <= MAX_TRIALS, {
    message: `a run holds at most ${MAX_TRIALS} trials; take fewer servers, scenarios or repeats`,
    path: ["repeats"],
  });

export type EntrySpec = z.infer<typeof EntrySpec>;
export type RunSpec = z.infer<typeof RunSpec>;
