/** The server that every leaderboard has ratios to: the one that most people have measured. */
export const COMMON_BASELINE = "nginx";

/**
 * Why an entry of a public report is in no leaderboard: its run has another baseline; the baseline had another number of
 * workers; its figures do not count; the load tool was the bottleneck, so that its ratio is a bound; it has no verdict; its workspace
 * has a newer result on the same CPU; its load is not the one that most authors measured under that name; or the table is full.
 */
export const LEFT_OUT = [
  "baseline",
  "workers",
  "not-counted",
  "tool-limit",
  "no-verdict",
  "older",
  "other-load",
  "no-room",
] as const;
export type LeftOut = (typeof LEFT_OUT)[number];
