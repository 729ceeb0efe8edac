/**
 * How many points of a trial's series, and columns of a heat map, are sent. `SampleStore` of packages/domain stores all
 * samples, and what is sent of them is thinned to so many. Without schemas: the page of a run loads this in the browser.
 */

/** Of all trials that are sent together, as long as each gets its least. */
const TOGETHER = 12_000;
const each = (trials: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.floor(TOGETHER / Math.max(trials, 1))));

/** What a query may ask for, also one of the public API. */
export const QUERY_POINTS = { least: 10, most: 5000, default: 600 } as const;

/** What the page of a run asks for. */
export const pagePoints = (trials: number): number => each(trials, 12, QUERY_POINTS.default);

/** What an event of a run brings at most, and what its page keeps. */
export const LIVE_POINTS = 1200;

/** In a report: enough to draw, few enough to send. */
export const reportPoints = (trials: number): number => each(trials, 4, 120);

/** Columns of all heat maps of a report together, and of one at least and at most. */
const [ALL_COLUMNS, FEWEST_COLUMNS, MOST_COLUMNS] = [900, 10, 60];

/** Columns that each of so many heat maps has in a report: a reader downloads all of them. */
export const reportColumns = (maps: number): number =>
  Math.min(MOST_COLUMNS, Math.max(FEWEST_COLUMNS, Math.floor(ALL_COLUMNS / Math.max(maps, 1))));
