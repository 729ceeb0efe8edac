/**
 * How runs are found and described: names and limits. A file of its own, without schemas: pages use it in code that must not
 * carry zod.
 */

/** Filters of which a list offers the values that its runs have. A run has to match one value of each. */
export const VALUE_FILTERS = [
  "host",
  "status",
  "verdict",
  "branch",
  "person",
  "tag",
  "scenario",
  "server",
] as const;
export type ValueFilter = (typeof VALUE_FILTERS)[number];

/** All filters of a list of runs. */
export const RUN_FILTERS = ["q", ...VALUE_FILTERS, "repository", "commit", "pullRequest"] as const;
export type RunFilterName = (typeof RUN_FILTERS)[number];

/** Values that one filter takes at once. */
export const MOST_VALUES = 10;
/** Characters of a search. */
export const MOST_SEARCH = 200;

/** Characters of a run's name, of its note and of a tag, and how many tags it has. */
export const MOST_NAME = 120;
export const MOST_NOTE = 2000;
export const MOST_TAG = 40;
export const MOST_TAGS = 10;
