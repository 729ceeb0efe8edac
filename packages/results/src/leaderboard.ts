/** The server that every leaderboard has ratios to: the one that most people have measured. */
export const COMMON_BASELINE = "nginx";

/**
 * Why an entry of a public report is in no leaderboard: its run has another baseline; its figures do not count; the load tool
 * was the limit, so that its ratio is a bound; it has no verdict; its workspace has a newer result on the same CPU; or its load
 * is not the one that most authors measured under that name.
 */
export const LEFT_OUT = [
  "baseline",
  "not-counted",
  "tool-limit",
  "no-verdict",
  "older",
  "other-load",
] as const;
export type LeftOut = (typeof LEFT_OUT)[number];
