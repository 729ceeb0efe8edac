import type { Words } from "@rigmark/messages";
import { formatDuration } from "@rigmark/metrics";
import type { RunView } from "@rigmark/results";
import { blockRange } from "@rigmark/results/blocks";
import { progressOf, secondsLeft } from "@/lib/progress";
import { blockName } from "@/lib/results/shape";
import { plainLine } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { useWords } from "@/lib/words";
import { PhaseStrip } from "./phase-strip";

interface LiveStatusProps {
  run: RunView;
  /** No stream tells what happens; the page asks instead. */
  polling: boolean;
}

/** One sentence of what is going on, the phases, and how far the plan is. */
export function LiveStatus({ run, polling }: LiveStatusProps) {
  const w = useWords();
  const part = progressOf(run);
  const left = secondsLeft(run);
  const per = part === null ? 0 : Math.round(part * 100);
  return (
    <section className="space-y-3" aria-label="Progress">
      <PhaseStrip run={run} />
      <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
        <p className="mr-auto min-h-[1.5em] font-medium [overflow-wrap:anywhere]">{nowInWords(w, run)}</p>
        <p className="sr-only" role="status">
          {aloudInWords(w, run)}
        </p>
        <p className="text-ink-2">{leftInWords(left, run)}</p>
      </div>
      <div
        className="h-2 overflow-hidden rounded-md bg-sunk"
        role="progressbar"
        aria-label="Plan measured"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={per}
      >
        <div className="h-full bg-accent" style={{ width: `${per}%` }} />
      </div>
      {polling && run.attempt_no !== null && (
        <p className="text-[0.929rem] text-ink-2">
          No live connection. This page checks for updates every few seconds instead.
        </p>
      )}
      {run.unreachable && (
        <p className="note" data-tone="warn">
          The host has been silent for a while. It may still be measuring; it keeps its results and sends them
          when it is back.
        </p>
      )}
    </section>
  );
}

function nowInWords(w: Words, run: RunView): string {
  if (run.cancel_requested || run.state === "cancelling")
    return "Cancelling: the host stops within seconds and cleans up.";
  if (run.state === "queued")
    return run.host.online
      ? `Queued. The run starts as soon as ${plainLine(run.host.name)} is free${untilOf(run)}.`
      : `Queued. ${plainLine(run.host.name)} is offline; the run starts when it is back${untilOf(run)}.`;
  if (run.state === "leased")
    return `${plainLine(run.host.name)} has picked up the run and begins it once the host is free.`;
  if (run.state === "uploading" && run.published_by)
    return "A file is being published. Its records are on their way.";
  if (run.state === "uploading") return "Measured. The last records are on their way.";
  const { current } = run;
  if (!current) return "Between two steps.";
  const entry = run.entries.find((e) => e.key === current.entry_key);
  const trial = run.trials.find((t) => t.trial_id === current.trial_id);
  const scenario = run.scenarios.find((s) => s.id === trial?.scenario);
  return [
    current.phase.replace("verify-after", "verify again"),
    entry ? plainLine(entry.label) : null,
    scenario ? plainLine(scenario.title) : null,
    trial ? `${blockName(w, trial.block)} of ${rangeOf(run)}` : null,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

/** What is read aloud as it changes: by state and block only, since phases may change several times a second. */
function aloudInWords(w: Words, run: RunView): string {
  if (run.cancel_requested || (run.state !== "preparing" && run.state !== "measuring"))
    return nowInWords(w, run);
  // In the order of the plan.
  const begun = run.trials.findLast((trial) => trial.state !== "planned");
  return begun ? `Measuring: ${blockName(w, begun.block)} of ${rangeOf(run)}.` : "Preparing to measure.";
}

/** A run of a schedule does not wait for ever. */
const untilOf = (run: RunView): string =>
  run.expires_at ? `, or expires at ${formatMoment(run.expires_at)}` : "";

/** With a precision the number of blocks is not known before: "block 6 of 5 to 20". */
function rangeOf(run: RunView): string {
  const { least, most } = blockRange(run.spec, run.blocks);
  return least === most ? String(least) : `${least} to ${most}`;
}

function leftInWords(left: number | null, run: RunView): string {
  const planned = run.timings.planned_range;
  if (left === null)
    return planned
      ? `planned: ${formatDuration(planned.min_s)} – ${formatDuration(planned.max_s)}`
      : "no plan yet";
  if (left < 1) return "nearly done";
  // The plan has all blocks up to the limit.
  const mayEnd = run.blocks !== null && run.blocks.looks.length > 1;
  return `${mayEnd ? "at most" : "about"} ${formatDuration(left)} left`;
}
