/** The server that every leaderboard has ratios to: the one that most people have measured. */
export const COMMON_BASELINE = "nginx";

/**
 * Why an entry of a public report is in no leaderboard: its run has another baseline; its figures do not count; the load tool
 * was the limit, so that its ratio is a bound; it has no verdict; a newer report of the same people on the same CPU
 * has it; or its load is not that of the newest report.
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
