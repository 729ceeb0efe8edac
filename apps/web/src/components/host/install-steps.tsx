import type { InstallStep } from "@rigmark/protocol";
import type { HostSummary, StepReport } from "@rigmark/results";
import { installSteps, type StepState } from "@rigmark/results/install-steps";
import { Prose } from "../ui/prose";

const NAMES: Record<InstallStep, string> = {
  started: "Script started",
  downloaded: "Download",
  verified: "Checksums and signature",
  "agent-starts": "Test start of the agent",
  installed: "Files in place",
  enrolled: "Enrollment",
  service: "Service",
};
const WORDS: Record<StepState, string> = {
  done: "done",
  skipped: "not done",
  failed: "failed",
  "under-way": "under way",
  waiting: "to come",
  "left-out": "not needed",
  "not-reached": "not reached",
};
const LAMPS: Partial<Record<StepState, string>> = {
  done: "good",
  skipped: "warn",
  failed: "bad",
  "under-way": "live",
};
const QUIET: readonly StepState[] = ["waiting", "left-out", "not-reached"];

interface InstallStepsProps {
  reports: readonly StepReport[];
  /** The host that the key was used for; null before the enrollment. */
  host: Pick<HostSummary, "online" | "checks"> | null;
}

/** What the install script on the host has done, step by step as it reports, and what doctor found in the end. */
export function InstallSteps({ reports, host }: InstallStepsProps) {
  const online = host?.online ?? false;
  const steps = installSteps(reports, { enrolled: host !== null, online });
  const failed = steps.some(({ state }) => state === "failed");
  const doctor = doctorStep(host?.checks ?? null, online, failed);
  return (
    <ol className="divide-y divide-line" aria-live="polite" aria-label="Steps of the installation">
      {steps.map(({ step, state, text }) => (
        <Step key={step} name={NAMES[step]} state={state} text={text} />
      ))}
      <Step name="Doctor" {...doctor} />
    </ol>
  );
}

function doctorStep(
  checks: HostSummary["checks"],
  online: boolean,
  failed: boolean,
): { state: StepState; text: string } {
  if (!checks) return { state: online ? "under-way" : failed ? "not-reached" : "waiting", text: "" };
  const open = checks.fail + checks.warn;
  const all = open + checks.ok + checks.unknown;
  const text =
    open === 0
      ? `nothing to fix in ${all} checks`
      : `${open} of ${all} checks ${open === 1 ? "needs" : "need"} attention`;
  return { state: "done", text };
}

/** A change is read out with the step that it belongs to. */
function Step({ name, state, text }: { name: string; state: StepState; text: string }) {
  return (
    <li
      className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[6.5rem_minmax(0,1fr)]"
      aria-atomic="true"
      data-state={state}
    >
      <span className="inline-flex items-center gap-1.5 self-start text-[0.929rem]">
        <span className="lamp" data-on={LAMPS[state]} aria-hidden="true" />
        {WORDS[state]}
      </span>
      <p className="min-w-0 [overflow-wrap:anywhere]">
        <span className={QUIET.includes(state) ? "text-ink-2" : "font-medium"}>{name}</span>
        {text && (
          <span className={state === "failed" ? undefined : "text-ink-2"}>
            : <Prose text={text} />
          </span>
        )}
      </p>
    </li>
  );
}
