import type { InstallStep } from "@rigmark/protocol";
import type { StepReport } from "./view/host";

/** In the order in which the script does them. */
export const INSTALL_STEPS: readonly InstallStep[] = [
  "started",
  "downloaded",
  "verified",
  "agent-starts",
  "installed",
  "enrolled",
  "service",
];

/** `left-out`: passed without a word. `not-reached`: behind a failure. */
export type StepState = "done" | "skipped" | "failed" | "under-way" | "waiting" | "left-out" | "not-reached";

export interface StepShown {
  step: InstallStep;
  state: StepState;
  text: string;
}

/**
 * Each step of the installation as a page shows it. A report may be lost, so what the app knows itself counts more: a key
 * that was used has enrolled its host, and a host that is online has an agent that runs.
 */
export function installSteps(
  reports: readonly StepReport[],
  known: { enrolled: boolean; online: boolean },
): StepShown[] {
  const said = new Map(reports.map((report) => [report.step, report]));
  const shown = INSTALL_STEPS.map((step): StepShown & { open: boolean } => {
    const report = said.get(step);
    if ((step === "enrolled" && known.enrolled) || (step === "service" && known.online))
      return { step, state: "done", text: report?.state === "done" ? report.text : "", open: false };
    if (report) return { step, state: report.state, text: report.text, open: false };
    return { step, state: "waiting", text: "", open: true };
  });
  const last = shown.findLastIndex(({ open }) => !open);
  const failed = shown.some(({ state }) => state === "failed");
  return shown.map(({ open, ...one }, index) => {
    if (!open) return one;
    if (failed) return { ...one, state: "not-reached" };
    if (index < last) return { ...one, state: "left-out" };
    return index === last + 1 ? { ...one, state: "under-way" } : one;
  });
}
