import type { Words } from "@rigmark/messages";
import type { EntryChange } from "@rigmark/results/match-series";

const KEYS = {
  server: "report.runs.otherServer",
  options: "report.runs.otherOptions",
  build: "report.runs.otherBuild",
  commit: "report.runs.otherCommit",
} as const;

/** What is not as it was in an earlier run, in a few words; null where all is. */
export const changesInWords = (w: Words, changed: readonly EntryChange[] | null = null): string | null =>
  w.join((changed ?? []).map((each) => w.t(KEYS[each]))) || null;
