import type { Words } from "@rigmark/messages";
import type { ReportRun } from "@rigmark/results";
import { hasChinese, type Language } from "@rigmark/results/language";

/** Reports from before there was Chinese have English sentences only. */
export const langOf = (w: Words, run: ReportRun): Language | undefined =>
  w.language === "zh" && run.summary && !hasChinese(run.summary) ? "en" : undefined;
