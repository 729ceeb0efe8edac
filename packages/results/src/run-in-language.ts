import { titled, type Words } from "@rigmark/messages";
import { inLanguage } from "./language";
import type { ReportRun } from "./view/snapshot";

/** A run of a report with its sentences in the language of `w`, and in them its scenarios' titles. */
export function runInLanguage(w: Words, run: ReportRun): ReportRun {
  const summary = run.summary && inLanguage(run.summary, w.language);
  return { ...run, summary: summary && { ...summary, sentence: titled(w, summary.sentence, run.scenarios) } };
}
