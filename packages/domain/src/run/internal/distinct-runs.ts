import { MOST_COMPARED, type ReportRunName } from "@rigmark/results";
import { DomainError } from "../../error";

export interface RunNames {
  runIds: readonly string[];
  /** Runs as reports keep them, after the workspace's own. */
  reports?: readonly ReportRunName[] | undefined;
}

/** What is compared, each once. */
export function distinctRuns(names: RunNames): { runIds: string[]; reports: ReportRunName[] } {
  const runIds = [...new Set(names.runIds.map((id) => id.toLowerCase()))];
  const reports = [...new Set(names.reports)];
  const many = runIds.length + reports.length;
  if (many > MOST_COMPARED)
    throw new DomainError(
      "invalid",
      `At most ${MOST_COMPARED} runs can be compared at once, not ${many}; choose fewer.`,
    );
  return { runIds, reports };
}
