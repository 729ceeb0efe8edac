/** How public reports are found: names and limits. Without schemas, for pages that must not carry zod. */

/** Filters of which Explore offers the values that public reports have. */
export const EXPLORE_FILTERS = ["suite", "scenario", "arch", "cpu"] as const;
export type ExploreFilterName = (typeof EXPLORE_FILTERS)[number];

/** Characters of a search, and of a filter's value. */
export const MOST_EXPLORE = 200;
/** Values of one filter that are chosen together. */
export const MOST_CHOSEN = 50;
/** Reports of a page. */
export const EXPLORE_PAGE = 25;
