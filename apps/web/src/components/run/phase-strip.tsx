import type { PhaseName } from "@rigmark/protocol";
import type { RunView } from "@rigmark/results";

const STEPS: readonly { phase: PhaseName; name: string; each: boolean }[] = [
  { phase: "preflight", name: "preflight", each: false },
  { phase: "build", name: "build", each: false },
  { phase: "start", name: "start", each: true },
  { phase: "verify", name: "verify", each: true },
  { phase: "warm-up", name: "warm-up", each: true },
  { phase: "measure", name: "measure", each: true },
  { phase: "verify-after", name: "verify again", each: true },
  { phase: "clean-up", name: "clean up", each: false },
];

/** Where the run is. The middle five come round with every trial. */
export function PhaseStrip({ run }: { run: RunView }) {
  const seen = new Set(run.phases.map((p) => p.phase));
  const failed = new Set(run.phases.filter((p) => p.status === "failed").map((p) => p.phase));
  return (
    <ol
      className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-4 lg:grid-cols-8"
      aria-label="Phases"
    >
      {STEPS.map(({ phase, name, each }) => {
        const now = run.current?.phase === phase;
        const word = failed.has(phase)
          ? "failed"
          : now
            ? "now"
            : each
              ? "each trial"
              : seen.has(phase)
                ? "done"
                : "ahead";
        return (
          <li
            key={phase}
            aria-current={now ? "step" : undefined}
            className={`px-2.5 py-1.5 ${now ? "bg-accent text-accent-ink" : "bg-panel"}`}
          >
            <span
              className={`block leading-tight ${now ? "font-medium" : seen.has(phase) ? "" : "text-ink-2"}`}
            >
              {name}
            </span>
            <span
              className={`block text-[0.857rem] leading-tight ${now ? "" : failed.has(phase) ? "text-bad" : "text-ink-3"}`}
            >
              {word}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
