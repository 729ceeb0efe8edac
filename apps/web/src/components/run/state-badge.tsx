import type { RunState } from "@rigmark/protocol";

const LAMPS: Record<RunState, "live" | "good" | "bad" | "warn" | undefined> = {
  queued: undefined,
  leased: "live",
  preparing: "live",
  measuring: "live",
  uploading: "live",
  cancelling: "warn",
  succeeded: "good",
  failed: "bad",
  cancelled: undefined,
  timed_out: "bad",
  incomplete: "warn",
};

const stateWord = (state: RunState): string => (state === "timed_out" ? "timed out" : state);

/** State of a run: a lamp and always the word. */
export function StateBadge({ state, unreachable = false }: { state: RunState; unreachable?: boolean }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className="lamp" data-on={unreachable ? "warn" : LAMPS[state]} aria-hidden="true" />
      <span>
        {stateWord(state)}
        {unreachable && <span className="text-warn">, host unreachable</span>}
      </span>
    </span>
  );
}
