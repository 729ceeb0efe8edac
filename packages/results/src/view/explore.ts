import { z } from "zod";
import { EXPLORE_FILTERS, MOST_EXPLORE } from "../explore";
import { Moment, ReportSlug } from "./scalar";

const Value = z.string().min(1).max(MOST_EXPLORE).optional();

/** Which public reports are shown; filters are combined. */
export const ExploreFilter = z.object({
  /** Words, each of which has to stand somewhere in a report's title, servers, scenarios or machines. */
  q: z.string().max(MOST_EXPLORE).optional(),
  suite: Value,
  scenario: Value,
  arch: Value,
  /** Model and number of CPUs, such as `Cortex-A76 × 4`. */
  cpu: Value,
});

export const ExploreItem = z.object({
  slug: ReportSlug,
  title: z.string(),
  created_at: Moment,
  /** The verdict of its first run, and in which language; null where there is none. */
  sentence: z.string().nullable(),
  language: z.enum(["en", "zh"]),
  runs: z.int(),
  /** Board, CPUs and architecture of each machine. */
  machines: z.array(z.string()),
  scenarios: z.array(z.string()),
  servers: z.array(z.string()),
  /** How many of each there are beside these. */
  more: z.object({ machines: z.int(), scenarios: z.int(), servers: z.int() }),
});
export const ExplorePage = z.object({
  reports: z.array(ExploreItem),
  next_cursor: z.string().nullable(),
  /** What recent public reports can be filtered by, the most frequent first. */
  filters: z.array(z.object({ name: z.enum(EXPLORE_FILTERS), values: z.array(z.string()) })),
});

export type ExploreFilter = z.infer<typeof ExploreFilter>;
export type ExploreItem = z.infer<typeof ExploreItem>;
export type ExplorePage = z.infer<typeof ExplorePage>;
