import { Id, RunState, Slug } from "@rigmark/protocol";
import { z } from "zod";
import { RunFilter } from "../public/run";
import {
  MOST_NAME,
  MOST_NOTE,
  MOST_SEARCH,
  MOST_TAG,
  MOST_TAGS,
  MOST_VALUES,
  VALUE_FILTERS,
} from "../run-list";
import { Moment } from "./scalar";

const many = <Value extends z.ZodType>(value: Value) => z.array(value).max(MOST_VALUES).optional();

/** A verdict of packages/stats, of any entry of the run under any scenario. */
const VerdictCode = z.enum(["faster", "slower", "no-difference", "not-comparable"]);

/** Which runs a list shows. Of several values of one filter a run has to match one; filters are combined. */
export const RunListFilter = z.object({
  /** Words, each of which has to stand somewhere in what the run is called, measures and comes from. */
  q: z.string().max(MOST_SEARCH).optional(),
  host: many(Id),
  status: many(RunState),
  verdict: many(VerdictCode),
  branch: many(z.string().min(1).max(200)),
  person: many(z.string().min(1).max(100)),
  tag: many(z.string().min(1).max(MOST_TAG)),
  scenario: many(z.string().min(1).max(200)),
  server: many(Slug),
  ...RunFilter.pick({ repository: true, commit: true }).shape,
  pullRequest: z.int().min(1).max(2_147_483_647).optional(),
});
export type RunListFilter = z.infer<typeof RunListFilter>;

/** The values of each filter that runs of the workspace have, the most frequent first. Filters without one are not there. */
export const RunFilterValues = z.object({
  filters: z.array(
    z.object({
      name: z.enum(VALUE_FILTERS),
      values: z.array(z.object({ value: z.string(), label: z.string() })),
    }),
  ),
});
export type RunFilterValues = z.infer<typeof RunFilterValues>;

/** What members say about a run; what is absent stays as it is. */
export const RunEdit = z.object({
  title: z.string().trim().min(1).max(MOST_NAME).optional(),
  note: z.string().trim().max(MOST_NOTE).optional(),
  tags: z
    .array(
      z
        .string()
        .trim()
        .min(1)
        .max(MOST_TAG)
        .regex(/^[^,]*$/, "a tag has no comma"),
    )
    .max(MOST_TAGS)
    .optional(),
});
export type RunEdit = z.infer<typeof RunEdit>;

export const RunWords = z.object({
  title: z.string(),
  /** Null where nobody wrote one. */
  note: z.string().nullable(),
  tags: z.array(z.string()),
});
export type RunWords = z.infer<typeof RunWords>;

/** After that moment the runs are removed for good. */
export const RunsDeleted = z.object({ kept_until: Moment });
export type RunsDeleted = z.infer<typeof RunsDeleted>;

/** Runs that can still be restored, the last one deleted first. */
export const DeletedRuns = z.object({
  runs: z.array(z.object({ run_id: Id, title: z.string(), deleted_at: Moment, kept_until: Moment })),
});
export type DeletedRuns = z.infer<typeof DeletedRuns>;
