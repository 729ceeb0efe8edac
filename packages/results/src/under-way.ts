import type { Scenario } from "@rigmark/protocol";

/**
 * Requests that may have been under way when a trial's windows ended: at most one a connection (with several in flight on
 * each, so many) for each window. What they cost is measured, and they are not among the requests. Null where each run of
 * the tool ends with its last answer, and at a fixed rate, where what was not answered is counted by itself.
 */
export function underWay(
  { load, in_flight }: Pick<Scenario, "load" | "in_flight">,
  windows: number,
): number | null {
  if (load.kind !== "closed") return null;
  return load.connections * (in_flight ?? 1) * Math.max(1, windows);
}

/** Whether the cost of a request can be told; the same rule as `mostly_answered` of the statistics. */
export const mostlyAnswered = (requests: number, underWay: number | null): boolean =>
  underWay === null || underWay <= requests * 0.1;
